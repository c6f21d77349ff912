/**
 * Words of a text as memory compares them: case, width and diacritics folded, so that `Zürich`, `ZURICH` and `zürich` are
 * one word. Scripts written without spaces give one word per character. Pure, and the same for texts and questions.
 */

// A character of a script without spaces, or a run of letters and digits of any other script.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu;

/** Upper case first: `ß` and `SS` have only their capitals in common. */
const fold = (text: string): string =>
  text.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC');

export const wordsOf = (text: string): ReadonlySet<string> => new Set(fold(text).match(WORD) ?? []);
