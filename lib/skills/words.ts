/**
 * Words that say which skill is meant: whole words, in any case. One `…` between two words stands
 * for up to 20 characters. A list of words, not a pattern: no text of anybody can make it slow.
 * Pure.
 */

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
