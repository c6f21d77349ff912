/** Small parts that every view is made of. */
import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { readMarkup } from '../../../../text/markup.ts';
import { stateWord } from './language.ts';
import { attempt } from './server.ts';

const TICK_MS = 10_000;
/** Epoch milliseconds; what is counted down follows it. */
export const now = signal(Date.now());
window.setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

export const Badge = ({ state, kind = state }: { readonly state: string; readonly kind?: string }) => (
  <span class={`badge ${kind.replace(' ', '-')}`}>{stateWord(state)}</span>
);

interface OutsideProps {
  readonly text: string;
  readonly kind?: string;
  /** Of the server's own sentences: a screen reader says them as English on a German page. */
  readonly lang?: 'en';
}

/** A text that somebody else wrote, at least in part, in its own direction. */
export const Outside = ({ text, kind = '', lang }: OutsideProps) => (
  <p class={kind} dir="auto" lang={lang}>
    {text}
  </p>
);

/** A text of which each character counts. */
export const Exact = ({ text }: { readonly text: string }) => <pre dir="auto">{text}</pre>;

/** How each mark of Markdown is shown. */
const MARKS = { bold: 'strong', italic: 'em', code: 'code', pre: 'pre', blockquote: 'blockquote' } as const;

/** A text with its Markdown. Marks become elements, and what stands in them stays text. */
export const Marked = ({ source, kind = 'text' }: { readonly source: string; readonly kind?: string }) => {
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

/** A button that is off while what it began goes on, keeps the focus, and shows its failure. */
export const Button = ({ label, kind = '', isExpanded, onPress }: ButtonProps) => {
  const isBusy = useSignal(false);
  const press = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    await attempt(async () => onPress());
    isBusy.value = false;
  };
  return (
    <button
      type="button"
      class={kind}
      // A button that is disabled loses the focus.
      aria-disabled={isBusy.value}
      aria-expanded={isExpanded}
      onClick={() => void press()}
    >
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

/** @param lang none for lines of the page itself, in place of the server's */
export const Lines = ({ lines, lang = 'en' }: { readonly lines: readonly string[]; readonly lang?: string }) => (
  <ul class="lines" lang={lang}>
    {lines.map((line, n) => (
      <li key={n} dir="auto">
        {line}
      </li>
    ))}
  </ul>
);
