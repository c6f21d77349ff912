/**
 * Finds the parts of a text that a client lets a person tap: addresses, mentions, hashtags,
 * commands, phone and card numbers. The rules are those of Telegram's library tdlib
 * (`MessageEntity.cpp`), but wider: they find more than Telegram does, never less. Media timestamps
 * are left out: they open nothing. Pure and linear.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word ends at a character that no address can hold. */
const WORD = /[^\p{Cc}\p{Z}<>"«»\u2016-\u2027\u2030-\u206f]+/gu;
/** Marks around a word are not part of it. */
const LEADING = /^[([{'*`|,;:!?]+/;
const TRAILING: ReadonlySet<string> = new Set(")]}'*`|.,;:!?");

/** Above U+00C0, Telegram takes any character that is no space. */
const LABEL = String.raw`[A-Za-z0-9_~\-\u00c0-\u{10ffff}]`;
const TAPPABLE = new RegExp(
  [
    String.raw`:\/\/`,
    String.raw`${LABEL}\.\p{L}[\p{L}\p{M}]`,
    // Telegram takes only the ASCII stop. Others count between ASCII letters, as in a disguise.
    '[A-Za-z0-9][．。｡][A-Za-z]{2}',
    String.raw`\d{1,3}(?:\.\d{1,3}){3}`,
    '@[A-Za-z0-9_]{2}',
    String.raw`#[\p{N}\p{M}_\u00b7\u200c]*[\p{L}\u0d80-\u0dff]`,
    String.raw`\$(?:[A-Z]|1INCH)`,
    String.raw`(?<![\p{L}\p{N}_/])\/[A-Za-z0-9_]`,
    'mailto:|tel:',
  ].join('|'),
  'iu',
);

/** With a plus, or with ten digits and more. A date with its hour is no number. */
const NUMBER = /\+\d[\d \u00a0()./-]{3,}\d|\d[\d -]{8,}\d/g;
const DATE = /^(?:19|20)\d\d-\d\d-\d\d(?!\d)/;
const PHONE_DIGITS_MIN = 10;
const CARD_DIGITS_MIN = 13;

const isNumber = (run: string): boolean => {
  if (run.startsWith('+')) return true;
  const digits = run.replaceAll(/\D/g, '').length;
  return digits >= (DATE.test(run) ? CARD_DIGITS_MIN : PHONE_DIGITS_MIN);
};

/** The word without the marks around it. */
const trimWord = (word: string, at: number): Span => {
  const start = LEADING.exec(word)?.[0].length ?? 0;
  let end = word.length;
  while (end > start && TRAILING.has(word[end - 1] ?? '')) end -= 1;
  return { start: at + start, end: at + end };
};

/** All tappable parts, in the order of the text and without overlaps. */
export const findTappable = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) if (TAPPABLE.test(word)) spans.push(trimWord(word, index));
  for (const { 0: run, index } of text.matchAll(NUMBER))
    if (isNumber(run)) spans.push({ start: index, end: index + run.length });
  return mergeSpans(spans);
};

/** Sorts spans and joins those that touch or overlap. */
export const mergeSpans = (spans: readonly Span[]): readonly Span[] => {
  const merged: Span[] = [];
  for (const span of spans.filter(({ start, end }) => start < end).toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push(span);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
};

/** After a scheme that `defang` did not write. */
const SCHEME_MARK = '(?<![^a-z0-9+.-]hxxps?|^hxxps?|[^a-z0-9+.-]|^):\\/\\/';
/** Addresses that a terminal or page may open: with a scheme or `www.`, or a host with a path. */
const OPENABLE = new RegExp(
  [
    SCHEME_MARK,
    String.raw`(?<![\p{L}\p{N}])www\.[^.]`,
    'mailto:',
    String.raw`(?<![\p{L}\p{N}._~/-])[\p{L}\p{N}_~-]+(?:\.[\p{L}\p{N}_~-]+)*\.\p{L}[\p{L}\p{M}]+\.?(?::\d+)?[/?#]`,
    String.raw`\d(?:\.\d{1,3}){3}(?::\d+)?[?#/]`,
  ].join('|'),
  'iu',
);
const SCHEME_MARKS = new RegExp(SCHEME_MARK, 'gi');

/** Rewrites addresses so that nothing opens them (`hxxps://a[.]example/b`). */
export const defang = (text: string, except: readonly string[] = []): string =>
  text.replace(WORD, (word) => {
    const { start, end } = trimWord(word, 0);
    if (!OPENABLE.test(word) || except.includes(word.slice(start, end))) return word;
    return word
      .replaceAll(/(?<![a-z0-9+.-])http(?=s?:\/\/)/gi, 'hxxp')
      .replaceAll(SCHEME_MARKS, '[://]')
      .replaceAll('.', '[.]')
      .replaceAll(/mailto:/gi, 'mailto[:]');
  });
