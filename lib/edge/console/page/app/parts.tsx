/** Small parts that every view is made of. */
import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { readMarkup } from '../../../../text/markup.ts';
import { attempt } from './server.ts';

const TICK_MS = 10_000;
/** Epoch milliseconds; what is counted down follows it. */
export const now = signal(Date.now());
window.setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

export const Badge = ({ word, kind = word }: { readonly word: string; readonly kind?: string }) => (
  <span class={`badge ${kind.replace(' ', '-')}`}>{word}</span>
);

/** A text that somebody else wrote, at least in part, in its own direction. */
export const Outside = ({ text, kind = '' }: { readonly text: string; readonly kind?: string }) => (
  <p class={kind} dir="auto">
    {text}
  </p>
);

/** A text of which each character counts. */
export const Exact = ({ text }: { readonly text: string }) => <pre dir="auto">{text}</pre>;

/** How each mark of Markdown is shown. */
const MARKS = { bold: 'strong', italic: 'em', code: 'code', pre: 'pre', blockquote: 'blockquote' } as const;

/** A text with its Markdown. Marks become elements, and what stands in them stays text. */
export const Marked = ({ source, kind }: { readonly source: string; readonly kind: string }) => {
  const { text, entities } = readMarkup(source);
  const ends = [0, ...entities.map(({ offset, length }) => offset + length)];
  return (
    <div class={kind} dir="auto">
      {entities.map(({ type, offset, length }, n) => {
        const Tag = MARKS[type];
        return [text.slice(ends[n], offset), <Tag key={offset}>{text.slice(offset, offset + length)}</Tag>];
      })}
      {text.slice(ends.at(-1))}
    </div>
  );
};

interface ButtonProps {
  readonly label: string;
  readonly kind?: '' | 'primary' | 'danger';
  readonly isExpanded?: boolean;
  readonly onPress: () => unknown;
}

/** A button that is off while what it began goes on, and shows its failure. */
export const Button = ({ label, kind = '', isExpanded, onPress }: ButtonProps) => {
  const isBusy = useSignal(false);
  const press = async (): Promise<void> => {
    isBusy.value = true;
    await attempt(async () => onPress());
    isBusy.value = false;
  };
  return (
    <button type="button" class={kind} disabled={isBusy.value} aria-expanded={isExpanded} onClick={() => void press()}>
      {label}
    </button>
  );
};

interface CardProps {
  readonly title: string;
  readonly id: string;
  readonly children: ComponentChildren;
}

export const Card = ({ title, id, children }: CardProps) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
);

export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, string])[] }) => (
  <dl class="facts">{rows.map(([name, value]) => [<dt key={`${name}:`}>{name}</dt>, <dd key={name}>{value}</dd>])}</dl>
);

export const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <ul class="lines">
    {lines.map((line, n) => (
      <li key={n} dir="auto">
        {line}
      </li>
    ))}
  </ul>
);

/** Such as `1 leaf` and `2 leaves`. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The time of today, and else the day too. @param ms epoch milliseconds */
export const clock = (ms: number): string => {
  const then = new Date(ms);
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === new Date().toDateString()) return time;
  return `${then.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${time}`;
};

/** Such as `340 ms`, `2.5 s`, `12 min` or `3 h`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 90_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
};
