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

/** Equal for texts that differ in case only. */
const fold = (text: string): string => text.toLowerCase().toUpperCase();

/**
 * Undefined if there are none. A text without the pieces of any needs no pattern: V8 takes a
 * millisecond to compile one.
 */
export const buildWords = (words: readonly string[]): Pick<RegExp, 'test'> | undefined => {
  if (words.length === 0) return undefined;
  const build = () => new RegExp(`(?<!${LETTER})(?:${words.map(patternOf).join('|')})(?!${LETTER})`, 'iu');
  const pieces = words.map((one) => fold(one).split(/[\s…]+/));
  const mayHave = (text: string): boolean => pieces.some((all) => all.every((piece) => text.includes(piece)));
  return { test: (text) => mayHave(fold(text)) && build().test(text) };
};
