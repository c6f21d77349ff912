/** Whole words, in any case; `…` stands for up to 20 characters. No pattern can be slow. Pure. */

/** Characters that `…` stands for: a few words. */
const BETWEEN_CHARS_MAX = 20;
const LETTER = '[\\p{L}\\p{N}_]';

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const patternOf = (words: string): string =>
  words
    .split('…')
    .map((part) => part.trim().split(/\s+/).map(literally).join('\\s+'))
    .join(` .{0,${BETWEEN_CHARS_MAX}}(?<!${LETTER})`);

/** Undefined if there are none. */
export const buildWords = (words: readonly string[]): RegExp | undefined =>
  words.length === 0 ? undefined : new RegExp(`(?<!${LETTER})(?:${words.map(patternOf).join('|')})(?!${LETTER})`, 'iu');
