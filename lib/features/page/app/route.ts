/** The view that the address names, such as `#/decisions/con-12`; the first part is the view. */
import { signal } from '@preact/signals';

/** A part that is not well encoded stays as it is: it names nothing, and the view says so. */
const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const read = (): readonly string[] => {
  const [view = 'home', ...rest] = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);
  return [view, ...rest.map(decode)];
};

export const route = signal(read());

addEventListener('hashchange', () => {
  route.value = read();
});

/** The address of a view. */
export const to = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;
