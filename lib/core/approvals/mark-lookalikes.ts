/** Marks words that a person may read as others: mixed alphabets, styled or look-alike letters. */
import { CONFUSABLES } from '../text/canonical-text.ts';

/** Alphabets whose letters look alike. */
const ALPHABETS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
];
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /[A-Za-z\p{Script=Latin}]/u;
const ASCII_WORD = /^[\x20-\x7e]*$/;
/** Shorter words are not worth a mark. */
const LOOKALIKE_LETTERS_MIN = 3;

const alphabetOf = (letter: string): string | undefined => {
  if (!/\p{L}/u.test(letter)) return undefined;
  const isStyled = letter > '\u024f' && /^[A-Za-z]+$/.test(letter.normalize('NFKD'));
  return isStyled ? 'styled' : ALPHABETS.find(([, letters]) => letters.test(letter))?.[0];
};

const kindOf = (alphabet: string, isOne: boolean): string => {
  if (alphabet === 'styled') return isOne ? 'is not an ordinary letter' : 'are not ordinary letters';
  const article = alphabet === 'Armenian' ? 'an' : 'a';
  return isOne ? `is ${article} ${alphabet} letter` : `are ${alphabet} letters`;
};

/** `“а”, “р” are Cyrillic letters` */
const nameLetters = (word: string): string =>
  [...Map.groupBy(new Set(word), alphabetOf)]
    .flatMap(([alphabet, letters]) => {
      if (alphabet === undefined) return [];
      const listed = letters.map((letter) => `“${letter}”`).join(', ');
      return [`${listed} ${kindOf(alphabet, letters.length === 1)}`];
    })
    .join('; ');

const isMixed = (word: string): boolean => {
  const alphabets = new Set([...word].flatMap((letter) => alphabetOf(letter) ?? (LATIN.test(letter) ? ['Latin'] : [])));
  return alphabets.size > 1 || alphabets.has('styled');
};

/** All its letters are look-alikes. */
const isAllLookalikes = (word: string): boolean => {
  const letters = [...word].filter((letter) => /\p{L}/u.test(letter));
  return letters.length >= LOOKALIKE_LETTERS_MIN && letters.every((letter) => CONFUSABLES.has(letter));
};

/** Some letters are no look-alikes: somebody writes that language. */
const isForeignText = (text: string): boolean => {
  const letters = [...text].filter((letter) => alphabetOf(letter) !== undefined);
  return letters.some((letter) => !CONFUSABLES.has(letter));
};

/** @returns a function that says how a word may be misread; undefined if it may not */
const buildNote = (text: string): ((word: string) => string | undefined) => {
  const isForeign = isForeignText(text);
  return (word) => (isMixed(word) || (!isForeign && isAllLookalikes(word)) ? nameLetters(word) : undefined);
};

/** Puts a mark behind each word that may be misread: `pаypal [“а” is a Cyrillic letter]`. */
export const markLookalikes = (text: string): string => {
  if (ASCII_WORD.test(text)) return text;
  const noteOf = buildNote(text);
  return text.replace(WORD, (word) => {
    const note = noteOf(word);
    return note === undefined ? word : `${word} [${note}]`;
  });
};

/** Lists such words, one sentence each: `“pаypal”: “а” is a Cyrillic letter`. */
export const listLookalikes = (text: string): readonly string[] => {
  if (ASCII_WORD.test(text)) return [];
  const noteOf = buildNote(text);
  return [...new Set(text.match(WORD))].flatMap((word) => {
    const note = noteOf(word);
    return note === undefined ? [] : [`“${word}”: ${note}`];
  });
};
