/**
 * One message as Telegram shows it: its text and the entities that format it. Simple Markdown
 * becomes formatting; only what is certain is converted, and a link shows its address, so that a
 * text can never say one and lead to another. Where `links` is given, only these can be tapped,
 * each as an entity of its own; whatever else a client would let a person tap is shown as code
 * (Telegram makes no links inside code). Entities, not HTML: nothing is left to a parser, and no
 * refusal sends the text without them. Pure; what is shown is never longer than the source.
 */

import type { Span } from '../text/tappable.ts';
import { findTappable, mergeSpans } from '../text/tappable.ts';

/** Entities of one message: Telegram ignores those past 100, and finds some by itself. */
export const TELEGRAM_ENTITIES_MAX = 90;

export interface Entity {
  readonly type: 'bold' | 'italic' | 'code' | 'pre' | 'text_link';
  /** UTF-16 units, as `length`. */
  readonly offset: number;
  readonly length: number;
  readonly language?: string;
  readonly url?: string;
}

export interface FormatOptions {
  /** Read the text's Markdown; else it is shown character by character. */
  readonly hasMarkup: boolean;
  /** The only addresses that can be tapped; absent: Telegram decides. */
  readonly links?: readonly string[] | undefined;
  /** Commands of this bot can be tapped beside `links`. */
  readonly hasCommands?: boolean;
}

/**
 * Marks count only with white space, an opening bracket or a quote before them, and the like after
 * them.
 */
const BEFORE = `(?<![^\\s(["'])`;
const AFTER = `(?![^\\s)\\].,:;!?"'])`;
const PATTERN = new RegExp(
  [
    '```(?<language>[A-Za-z0-9_+#-]*)\\n(?<block>[^]*?)\\n?```',
    '`(?<code>[^`\\n]+)`',
    `${BEFORE}\\*\\*(?=\\S)(?<bold>[^*\\n]+)(?<=\\S)\\*\\*${AFTER}`,
    `${BEFORE}\\*(?=\\S)(?<star>[^*\\n]+)(?<=\\S)\\*${AFTER}`,
    `${BEFORE}_(?=\\S)(?<line>[^_\\n]+)(?<=\\S)_${AFTER}`,
    '\\[(?<label>[^\\][\\n]+)\\]\\((?<url>https?://[^\\s()<>]+)\\)',
  ].join('|'),
  'g',
);

type Shown = Pick<Entity, 'type' | 'language'> & { readonly text: string };

const convert = (match: string, groups: Readonly<Record<string, string | undefined>>): Shown | string => {
  const { language = '', block, code, bold, star, line, label, url } = groups;
  if (block !== undefined) {
    if (block.trim() === '') return match;
    return { type: 'pre', text: block, ...(language === '' ? {} : { language }) };
  }
  if (code !== undefined) return code.trim() === '' ? match : { type: 'code', text: code };
  if (bold !== undefined) return { type: 'bold', text: bold };
  const italic = star ?? line;
  if (italic !== undefined) return { type: 'italic', text: italic };
  return label !== undefined && url !== undefined ? (label === url ? url : `${label} (${url})`) : match;
};

const readMarkup = (source: string): { readonly text: string; readonly entities: readonly Entity[] } => {
  const entities: Entity[] = [];
  let text = '';
  let end = 0;
  for (const match of source.matchAll(PATTERN)) {
    text += source.slice(end, match.index);
    const shown = convert(match[0], match.groups ?? {});
    if (typeof shown === 'string') text += shown;
    else {
      const { text: words, ...kind } = shown;
      entities.push({ ...kind, offset: text.length, length: words.length });
      text += words;
    }
    end = match.index + match[0].length;
  }
  return { text: text + source.slice(end), entities };
};

/**
 * As Telegram cleans a text before it looks for links: what stood apart by one of these would be
 * joined there.
 */
const cleanText = (text: string): string =>
  text.replaceAll(/\r|[\u2028-\u202e]|\u030a|\u0333|\u033f/g, '').replaceAll(/[^\P{Cc}\n]/gu, ' ');

/** A command as code writes it: short and without a name behind it. */
const COMMAND = /^\/[a-z-]{2,20}$/;

const isCode = ({ type }: Entity): boolean => type === 'code' || type === 'pre';
const spanOf = ({ offset, length }: Entity): Span => ({ start: offset, end: offset + length });
const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** The parts of a span that no other span takes. */
const without = (span: Span, taken: readonly Span[]): readonly Span[] => {
  const parts: Span[] = [];
  let { start } = span;
  for (const other of taken.filter((each) => overlaps(each, span))) {
    if (other.start > start) parts.push({ start, end: other.start });
    start = Math.max(start, other.end);
  }
  return start < span.end ? [...parts, { start, end: span.end }] : parts;
};

const entityOf = (type: Entity['type'], { start, end }: Span): Entity => ({ type, offset: start, length: end - start });

/**
 * The text with the given parts blanked: what a reader finds that looks at each piece between
 * formatted parts alone.
 */
const mask = (text: string, spans: readonly Span[]): string => {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of mergeSpans(spans)) {
    parts.push(text.slice(at, start), '\n'.repeat(end - start));
    at = end;
  }
  return parts.join('') + text.slice(at);
};

/**
 * What can be tapped and is not permitted, in the whole text and in the pieces that are left around
 * formatted parts.
 */
const findForbidden = (text: string, firm: readonly Span[]): readonly Span[] => {
  const forbidden: Span[] = [];
  for (;;) {
    const found = findTappable(mask(text, [...firm, ...forbidden])).flatMap((span) => without(span, firm));
    if (found.length === 0) return forbidden;
    forbidden.push(...found);
  }
};

/** Shows as code whatever can be tapped and is not permitted. */
const coverLinks = (text: string, marked: readonly Entity[], options: FormatOptions): readonly Entity[] => {
  const { links, hasCommands = false } = options;
  if (links === undefined) return marked;
  const written = marked.filter(isCode).map(spanOf);
  const linked: Entity[] = [];
  const commands: Span[] = [];
  const covered: Span[] = [];
  for (const span of findTappable(text)) {
    const word = text.slice(span.start, span.end);
    const isFree = !written.some((code) => overlaps(code, span));
    if (isFree && links.includes(word)) linked.push({ ...entityOf('text_link', span), url: word });
    else if (isFree && hasCommands && COMMAND.test(word)) commands.push(span);
    else covered.push(...without(span, written));
  }
  covered.push(...findForbidden(text, [...written, ...linked.map(spanOf), ...commands, ...covered]));
  const blocks = marked.filter(({ type }) => type === 'pre');
  const code = mergeSpans([...marked.filter(({ type }) => type === 'code').map(spanOf), ...covered]);
  const firm = [...blocks, ...code.map((span) => entityOf('code', span)), ...linked];
  // Telegram ignores entities past its bound: a text that needs more of them is one block of code.
  if (firm.length > TELEGRAM_ENTITIES_MAX) return [entityOf('pre', { start: 0, end: text.length })];
  const taken = firm.map(spanOf).toSorted((a, b) => a.start - b.start);
  const styles = marked.filter((entity) => !isCode(entity));
  const soft = styles.flatMap((style) => without(spanOf(style), taken).map((span) => entityOf(style.type, span)));
  return [...firm, ...soft.slice(0, TELEGRAM_ENTITIES_MAX - firm.length)];
};

export const formatMessage = (source: string, options: FormatOptions) => {
  const clean = cleanText(source);
  const { text, entities } = options.hasMarkup ? readMarkup(clean) : { text: clean, entities: [] };
  const shown = coverLinks(text, entities, options).slice(0, TELEGRAM_ENTITIES_MAX);
  return { text, entities: shown.toSorted((a, b) => a.offset - b.offset) };
};
