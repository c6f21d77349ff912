/**
 * Formats a text as Telegram shows it, and cuts a long one into messages. Simple Markdown becomes
 * entities, not HTML, so that nothing is left to a parser. If `links` is given, only these can be
 * tapped; everything else a client would make tappable is shown as code. Pure; the shown text is
 * never longer than the source.
 */

import { foldAt } from '../../core/approvals/card-marks.ts';
import { isOpenCard, TASK_CARD } from '../../core/approvals/similar.ts';
import { MOMENT } from '../../core/channels/moments.ts';
import type { Action } from '../../core/signal/action.ts';
import { type Mark, readMarkup } from '../../core/text/markup.ts';
import { findTappable, mergeSpans, type Span } from '../../core/text/tappable.ts';

/** Telegram's limit for one message, in UTF-16 units. */
export const TELEGRAM_TEXT_UNITS_MAX = 4_096;
/** Entities of one message: Telegram ignores those past 100, and finds some by itself. */
export const TELEGRAM_ENTITIES_MAX = 90;

export interface Entity extends Omit<Mark, 'type'> {
  readonly type: Mark['type'] | 'text_link' | 'expandable_blockquote' | 'date_time';
  readonly url?: string;
  /** Seconds since 1970. */
  readonly unix_time?: number;
  readonly date_time_format?: 'dt';
}

export interface FormatOptions {
  /** Reads the text's Markdown; without it, the text is shown character by character. */
  readonly hasMarkup: boolean;
  /** The only addresses that can be tapped. If absent, Telegram decides. */
  readonly links?: readonly string[] | undefined;
  /**
   * Code wrote it: commands of this bot can be tapped too, and each reader sees times of the clock
   * in their own zone.
   */
  readonly isByCode?: boolean;
  /** From here on the text is a quote that one tap opens. */
  readonly foldFrom?: number | undefined;
}

/** As Telegram cleans it before it looks for links: pieces that these keep apart are joined. */
const cleanText = (text: string): string =>
  text.replaceAll(/\r|[\u2028-\u202e]|\u030a|\u0333|\u033f/g, '').replaceAll(/[^\P{Cc}\n]/gu, ' ');

/** A command as code writes it: short and without a name behind it. */
const COMMAND = /^\/[a-z-]{2,20}$/;

/** https://core.telegram.org/bots/api#date-time-entity-formatting */
const findMoments = (text: string): readonly Entity[] =>
  [...text.matchAll(MOMENT)].flatMap(({ 0: { length }, 1: day, 2: minute, index: offset }): readonly Entity[] => {
    const at = Date.parse(`${day}T${minute}Z`);
    if (Number.isNaN(at)) return [];
    return [{ type: 'date_time', offset, length, unix_time: at / 1000, date_time_format: 'dt' }];
  });

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

/** Blanks the given parts, as for a client that looks at the pieces between them alone. */
const mask = (text: string, spans: readonly Span[]): string => {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of mergeSpans(spans)) {
    parts.push(text.slice(at, start), '\n'.repeat(end - start));
    at = end;
  }
  return parts.join('') + text.slice(at);
};

/** Tappable parts that are not permitted, in the whole text and between formatted parts. */
const findForbidden = (text: string, firm: readonly Span[]): readonly Span[] => {
  const forbidden: Span[] = [];
  for (;;) {
    const found = findTappable(mask(text, [...firm, ...forbidden])).flatMap((span) => without(span, firm));
    if (found.length === 0) return forbidden;
    forbidden.push(...found);
  }
};

/** Shows tappable parts that are not permitted as code. */
const coverLinks = (text: string, marked: readonly Entity[], options: FormatOptions): readonly Entity[] => {
  const { links, isByCode = false } = options;
  if (links === undefined) return marked;
  const written = marked.filter(isCode).map(spanOf);
  const linked: Entity[] = [];
  const commands: Span[] = [];
  const covered: Span[] = [];
  for (const span of findTappable(text)) {
    const word = text.slice(span.start, span.end);
    const isFree = !written.some((code) => overlaps(code, span));
    if (isFree && links.includes(word)) linked.push({ ...entityOf('text_link', span), url: word });
    else if (isFree && isByCode && COMMAND.test(word)) commands.push(span);
    else covered.push(...without(span, written));
  }
  covered.push(...findForbidden(text, [...written, ...linked.map(spanOf), ...commands, ...covered]));
  const blocks = marked.filter(({ type }) => type === 'pre');
  const code = mergeSpans([...marked.filter(({ type }) => type === 'code').map(spanOf), ...covered]);
  const firm = [...blocks, ...code.map((span) => entityOf('code', span)), ...linked];
  // Telegram ignores entities past its bound, so a text that needs more of them is one block of
  // code.
  if (firm.length > TELEGRAM_ENTITIES_MAX) return [entityOf('pre', { start: 0, end: text.length })];
  const taken = firm.map(spanOf).toSorted((a, b) => a.start - b.start);
  // A quote is a block of its own, and may hold other entities.
  const quotes = marked.filter(({ type }) => type === 'blockquote');
  const styles = marked.filter((entity) => !isCode(entity) && entity.type !== 'blockquote');
  const soft = styles.flatMap((style) => without(spanOf(style), taken).map((span) => entityOf(style.type, span)));
  return [...firm, ...[...quotes, ...soft].slice(0, TELEGRAM_ENTITIES_MAX - firm.length)];
};

/** Adds the quote, which may hold other entities but cross none. */
const addFold = (entities: readonly Entity[], from: number, end: number): readonly Entity[] => [
  entityOf('expandable_blockquote', { start: from, end }),
  ...entities.flatMap((entity): readonly Entity[] => {
    const { start, end: last } = spanOf(entity);
    if (last <= from || start >= from) return [entity];
    return [entityOf(entity.type, { start, end: from }), entityOf(entity.type, { start: from, end: last })];
  }),
];

export const formatMessage = (source: string, options: FormatOptions) => {
  const clean = cleanText(source);
  const { text, entities } = options.hasMarkup ? readMarkup(clean) : { text: clean, entities: [] };
  const from = options.foldFrom === undefined ? text.length : cleanText(source.slice(0, options.foldFrom)).length;
  const covered = coverLinks(text, entities, options);
  // The fold's own first line is still of code.
  const end = `${text}\n`.indexOf('\n', from);
  const moments = options.isByCode === true ? findMoments(text.slice(0, end)) : [];
  const isFree = (moment: Entity): boolean => !covered.some((other) => overlaps(spanOf(other), spanOf(moment)));
  const shown = [...covered, ...moments.filter(isFree)].slice(0, TELEGRAM_ENTITIES_MAX);
  const folded = from < text.length ? addFold(shown, from, text.length) : shown;
  return { text, entities: folded.toSorted((a, b) => a.offset - b.offset) };
};

/** Cards of approvals, in every state. */
const CARDS: readonly string[] = ['similar-card', TASK_CARD, 'card-update'];
const isCard = (template: string): boolean => isOpenCard(template) || CARDS.includes(template);

/** The offset of a card's folded part; undefined for any other text. */
const foldOf = ({ author, template = '' }: Action, text: string): number | undefined => {
  const at = author === 'code' && isCard(template) ? foldAt(text) : -1;
  return at === -1 ? undefined : at;
};

/** A text of the model has markup; one of code is shown character by character. */
export const formatText = (action: Action, text: string): ReturnType<typeof formatMessage> => {
  const isByModel = action.author === 'model';
  const links = isByModel ? action.links : (action.links ?? []);
  return formatMessage(text, { hasMarkup: isByModel, links, isByCode: !isByModel, foldFrom: foldOf(action, text) });
};

/** Messages one reply may be split into: a longer reply is sent as a file. */
export const TELEGRAM_PARTS_MAX = 8;

/** Cuts, best first; the separator itself is left out. */
const SEPARATORS: readonly string[] = ['\n\n', '\n', ' '];

/** Cuts to at most `unitsMax` UTF-16 units, never inside a surrogate pair. */
export const cutUnits = (value: string, unitsMax: number): string => {
  const cut = value.slice(0, unitsMax);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

/** The first part, and the rest. `text` is longer than a part may be. */
const takePart = (text: string, unitsMax: number): readonly [string, string] => {
  for (const separator of SEPARATORS) {
    const at = text.lastIndexOf(separator, unitsMax);
    if (at > unitsMax / 2) return [text.slice(0, at), text.slice(at + separator.length)];
  }
  const part = cutUnits(text, unitsMax);
  return [part, text.slice(part.length)];
};

const BLOCK = /```[\w+#-]*\n[\s\S]*?```/g;
const OPEN_BLOCK = /```([\w+#-]*)\n[\s\S]*$/;
const FENCE_END = '\n```';

/** The line that a block of code begins with, if the part ends inside it. */
const openFence = (part: string): string | undefined => {
  const [, language] = OPEN_BLOCK.exec(part.replaceAll(BLOCK, '')) ?? [];
  return language === undefined ? undefined : `\`\`\`${language}\n`;
};

/** The same, but a block of code that is cut ends with its part and begins again with the next. */
const takeMarkup = (text: string, unitsMax: number): readonly [string, string] => {
  const [part, rest] = takePart(text, unitsMax - FENCE_END.length);
  const fence = openFence(part);
  return fence === undefined ? takePart(text, unitsMax) : [`${part}${FENCE_END}`, `${fence}${rest}`];
};

const LONG_NOTE = '\n\n[This is its beginning. All of it is in the file below.]';

/**
 * Cuts a text into messages that Telegram takes, at a paragraph, line or word if one ends in the
 * second half. @param hasMarkup a block of code that is cut goes on as one
 * @returns up to `TELEGRAM_PARTS_MAX` texts of at most `TELEGRAM_TEXT_UNITS_MAX` units; none for a
 * blank text. If there are too many parts, `isWhole` is false and there is one text, its beginning.
 */
export const splitText = (text: string, hasMarkup = false) => {
  const take = hasMarkup ? takeMarkup : takePart;
  const texts: string[] = [];
  let rest = text.toWellFormed().trimEnd();
  while (rest !== '' && texts.length < TELEGRAM_PARTS_MAX) {
    const isLast = rest.length <= TELEGRAM_TEXT_UNITS_MAX;
    const [part, next] = isLast ? [rest, ''] : take(rest, TELEGRAM_TEXT_UNITS_MAX);
    if (part.trim() !== '') texts.push(part);
    rest = next;
  }
  if (rest === '') return { texts, isWhole: true };
  const [beginning] = take(text.toWellFormed(), TELEGRAM_TEXT_UNITS_MAX - LONG_NOTE.length);
  return { texts: [`${beginning}${LONG_NOTE}`], isWhole: false };
};
