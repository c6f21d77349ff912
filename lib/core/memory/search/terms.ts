/**
 * Words of a text as search compares them: folded (case, width, accents) and cut to their stems by
 * the rules of German and English, whatever the language. Scripts without spaces give characters
 * and pairs; what holds a digit stays as it is.
 */
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemGerman } from '@orama/stemmers/german';

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
const STEMMED = /^[a-z]{3,}$/;
/** Longer strings are encoded data or identifiers. */
const TERM_CHARS_MAX = 64;

/** Upper case first: `ß` and `SS` share only their capitals. */
export const fold = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC');

/**
 * `batteries` → `batteri`, `driving` → `driv`, `Häuser` → `hau` like `Haus`. German goes first: an
 * English ending would cut forms of one German word in two ways. What English leaves of an `e` goes
 * last.
 */
const stemOf = (word: string): string => (STEMMED.test(word) ? stemEnglish(stemGerman(word)).replace(/e$/, '') : word);

type TermsOf = (text: string) => readonly string[];

const buildTermsOf =
  (stem: (word: string) => string): TermsOf =>
  (text) => {
    const words = fold(text).match(WORD) ?? [];
    const terms: string[] = [];
    let before = '';
    for (const word of words) {
      const isSpaceless = word.length <= 2 && SPACELESS.test(word);
      if (isSpaceless && before !== '') terms.push(before + word);
      terms.push(isSpaceless ? word : stem(word.slice(0, TERM_CHARS_MAX)));
      before = isSpaceless ? word : '';
    }
    return terms;
  };

export const termsOf = buildTermsOf(stemOf);

/** For many texts: cuts each word once. */
export const buildTermsOfMany = (): TermsOf => {
  const known = new Map<string, string>();
  return buildTermsOf((word) => {
    const stem = known.get(word) ?? stemOf(word);
    known.set(word, stem);
    return stem;
  });
};

/**
 * Words that only ask or join, and mean nothing else in the other language, as `die`, `hat` and
 * `war` do; those of other languages count little by being common.
 */
const ASKING: ReadonlySet<string> = new Set(
  termsOf(
    'a about after all also am an and any are as at be been before but by can could did do does for from get had has have he her his how i if in ' +
      'into is it its just let may me might more most my no not of on or our out over please shall she should so some tell than that the their ' +
      'them then there these they this those to too up us was we were what when where which who whom whose why will with would you your ' +
      'aber alle als am an auch auf aus bei bis bitte da dann das dass dein dem den der des dir du ein eine einem einen einer er es für ' +
      'gibt hab habe haben hatte ich ihr ihre im in ist kann mal mein meine meinem meinen meiner mich mir mit nach nicht noch oder sag sich sie ' +
      'sind so über um und uns unser unsere vom von vor wann waren warum was welche welchem welchen welcher welches wem wen wenn wer wessen wie ' +
      'wir wird wo wohin woher womit zu zum zur',
  ),
);

/** Words of a question, each once, without those that only ask, unless it has no others. */
export const questionTermsOf = (question: string): readonly string[] => {
  const terms = [...new Set(termsOf(question))];
  const telling = terms.filter((term) => !ASKING.has(term));
  return telling.length === 0 ? terms : telling;
};
