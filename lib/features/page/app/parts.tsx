/**
 * Small parts that every view is made of. A screen reader is told who speaks: the page speaks its
 * language, the server that or English (`langOf`), and people, models and services any (`lang=""`).
 */
import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { titleOf } from '../../../core/edge/console/list-words.ts';
import type { ListedSignal } from '../../../core/edge/console/views.ts';
import { readMarkup } from '../../../core/text/markup.ts';
import { sensorWords } from '../../../core/wings/signals/sensor-words.ts';
import { language, phrase, sensorWord, stateWord } from './language.ts';
import { attempt } from './server.ts';
import type { Language } from './texts.ts';

const TICK_MS = 10_000;
/** Epoch milliseconds; what is counted down follows it. */
export const now = signal(Date.now());
window.setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

export const Badge = ({ state, kind = state }: { readonly state: string; readonly kind?: string }) => (
  <span class={`badge ${kind.replace(' ', '-')}`}>{stateWord(state)}</span>
);

/** Words that German sentences have, and English ones do not. */
const GERMAN = /[äöüß]|\b(?:das|der|den|ein|eine|ist|nicht|und|wird|wurde|kein|keine|für|von|zum|nur|schon)\b/i;

/** The server says what it knows in the page's language, with others' words; else in English. */
export const langOf = (text: string): '' | 'en' => (language.value === 'de' && GERMAN.test(text) ? '' : 'en');

interface OutsideProps {
  readonly text: string;
  readonly kind?: string;
  readonly id?: string | undefined;
  readonly lang?: '' | 'en';
}

/** A text that somebody else wrote, at least in part, in its own direction. */
export const Outside = ({ text, kind = '', id, lang = '' }: OutsideProps) => (
  <p class={kind} id={id} dir="auto" lang={lang}>
    {text}
  </p>
);

/** Words of the server within a sentence of the page, or of somebody else by the language. */
export const Words = ({ text, kind = '', lang = langOf(text) }: OutsideProps) => (
  <span class={kind} dir="auto" lang={lang}>
    {text}
  </span>
);

/** A text of which each character counts. */
export const Exact = ({ text }: { readonly text: string }) => (
  <pre dir="auto" lang="">
    {text}
  </pre>
);

/** Reasons of a failure that are the page's own words. */
const ownReasons = (why: string): readonly string[] => [
  phrase('unknownToken'),
  phrase('serverAnswered')(Number(/\d+/.exec(why)?.[0])),
  phrase('mustBeJson')(why.split(' ')[0] ?? ''),
  phrase('unreachable'),
  phrase('tryingAgain'),
];

/** Why something failed: by the server, unless the page says so itself. */
export const Reason = ({ why }: { readonly why: string }) =>
  ownReasons(why).includes(why) ? <span>{why}</span> : <Words text={why} />;

/** How each mark of Markdown is shown. */
const MARKS = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
} as const;

/** These stand apart by themselves: the empty lines around them would double the space. */
const isBlock = (type: keyof typeof MARKS | undefined): boolean => type === 'pre' || type === 'blockquote';

interface MarkedProps {
  readonly source: string;
  readonly kind?: string;
  /** Of a text that is not the page's. */
  readonly lang?: '';
}

/** A text with its Markdown. Marks become elements, and what stands in them stays text. */
export const Marked = ({ source, kind = 'text', lang }: MarkedProps) => {
  const { text, entities } = readMarkup(source);
  const ends = [0, ...entities.map(({ offset, length }) => offset + length)];
  const before = (n: number): string => {
    const rest = text.slice(ends[n], entities[n]?.offset);
    const begun = isBlock(entities[n - 1]?.type) ? rest.replace(/^\n+/, '') : rest;
    return isBlock(entities[n]?.type) ? begun.replace(/\n+$/, '') : begun;
  };
  return (
    <div class={kind} dir="auto" lang={lang}>
      {entities.map(({ type, offset, length }, n) => {
        const Tag = MARKS[type];
        return [before(n), <Tag key={offset}>{text.slice(offset, offset + length)}</Tag>];
      })}
      {before(entities.length)}
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

/** Sensors whose signals have the words of a person or a service as their text. */
const QUOTED: readonly string[] = ['chat-message', 'webhook', 'job-due', 'run-prompt'];

const APPROVAL_WORDS = {
  approve: 'youApproved',
  deny: 'youDenied',
  'allow-similar': 'youAllowed',
  'allow-task': 'youAllowed',
  'show-similar': 'youLooked',
  'hide-similar': 'youLooked',
} as const;

/** Its name for a person, with the server's words for an action. */
const Named = ({ about }: { readonly about: NonNullable<ListedSignal['about']> }) => {
  if (about.kind === 'job') return <span>{phrase(about.hasRun ? 'jobIsDue' : 'jobDidNotRun')(about.job)}</span>;
  if (about.kind === 'approval')
    return (
      <span>
        {phrase(APPROVAL_WORDS[about.decision])} <Words text={about.sentence} />
      </span>
    );
  return (
    <span>
      <Words text={titleOf(about.runbook)} lang="" />
      {phrase('stepOf')(about.n, about.of)}
    </span>
  );
};

/** The text of a signal in a list. */
export const Title = ({ of: { sensor, text, about } }: { readonly of: ListedSignal }) => {
  if (about !== undefined) return <Named about={about} />;
  if (text === sensorWords(sensor)) return <span>{sensorWord(sensor)}</span>;
  return <Words text={text} lang={QUOTED.includes(sensor) ? '' : langOf(text)} />;
};

interface CardProps {
  readonly title: string;
  readonly id: string;
  /** Of a title that is not the page's. */
  readonly lang?: '' | 'en' | undefined;
  readonly children: ComponentChildren;
}

export const Card = ({ title, id, lang, children }: CardProps) => (
  <section class="card" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} lang={lang}>
      {title}
    </h2>
    {children}
  </section>
);

export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">{rows.map(([name, value]) => [<dt key={`${name}:`}>{name}</dt>, <dd key={name}>{value}</dd>])}</dl>
);

/** @param lang none for lines of the page itself, in place of the server's */
export const Lines = ({ lines, lang }: { readonly lines: readonly string[]; readonly lang?: Language }) => (
  <ul class="lines" lang={lang}>
    {lines.map((line, n) => (
      <li key={n} dir="auto" lang={lang ?? langOf(line)}>
        {line}
      </li>
    ))}
  </ul>
);
