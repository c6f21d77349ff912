/** The view that the address names, such as `#/decisions/con-12`; the first part is the view. */
import { signal } from '@preact/signals';

const read = (): readonly string[] => {
  const [view = 'home', ...rest] = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
  return [view, ...rest.map(decodeURIComponent)];
};

export const route = signal(read());

addEventListener('hashchange', () => {
  route.value = read();
});

/** The address of a view. */
export const to = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;
