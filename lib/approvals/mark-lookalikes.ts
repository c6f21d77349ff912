/**
 * Words that a person may read as other words, marked for a card: letters of several look-alike
 * alphabets in one word, styled letters, or a whole word of look-alikes beside Latin ones. Behind
 * such a word its foreign letters are named in plain words. Pure.
 */
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
/** Words of fewer letters say nothing that could be mistaken. */
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

/** All its letters are look-alikes of one alphabet, as of a word that was drawn with them. */
const isDrawn = (word: string): boolean => {
  const letters = [...word].filter((letter) => /\p{L}/u.test(letter));
  return letters.length >= LOOKALIKE_LETTERS_MIN && letters.every((letter) => CONFUSABLES.has(letter));
};

/** Words that are written in such an alphabet by somebody who writes its language. */
const isHonest = (text: string): boolean => {
  const letters = [...text].filter((letter) => alphabetOf(letter) !== undefined);
  return letters.some((letter) => !CONFUSABLES.has(letter));
};

/** Says of a word how it may be misread; undefined when it may not. */
const buildNote = (text: string): ((word: string) => string | undefined) => {
  const honest = isHonest(text);
  return (word) => (isMixed(word) || (!honest && isDrawn(word)) ? nameLetters(word) : undefined);
};

/**
 * The text with a mark behind each word that may be read as another: `pаypal [“а” is a Cyrillic
 * letter]`.
 */
export const markLookalikes = (text: string): string => {
  if (ASCII_WORD.test(text)) return text;
  const noteOf = buildNote(text);
  return text.replace(WORD, (word) => {
    const note = noteOf(word);
    return note === undefined ? word : `${word} [${note}]`;
  });
};

/** The same as sentences, one for each such word: `“pаypal”: “а” is a Cyrillic letter`. */
export const listLookalikes = (text: string): readonly string[] => {
  if (ASCII_WORD.test(text)) return [];
  const noteOf = buildNote(text);
  return [...new Set(text.match(WORD))].flatMap((word) => {
    const note = noteOf(word);
    return note === undefined ? [] : [`“${word}”: ${note}`];
  });
};
