/**
 * Words of a text as retrieval counts them: case, width and accents folded, English plurals cut to the singular, each as
 * often as it stands there. Scripts without spaces give their characters and pairs of them, so that a word of two characters
 * is more than its parts. Pure, and the same for texts and questions.
 */

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
/** Longer ones are no words: encoded data, identifiers. */
const TERM_CHARS_MAX = 64;

/** Upper case first: `ß` and `SS` have only their capitals in common. */
const fold = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC');

/** `bikes` → `bike`, `batteries` → `battery`; `glass`, `bus` and `this` stay. */
const singular = (word: string): string => {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:[sxz]|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
};

export const termsOf = (text: string): readonly string[] => {
  const words = fold(text).match(WORD) ?? [];
  const terms: string[] = [];
  let before = '';
  for (const word of words) {
    const isSpaceless = word.length <= 2 && SPACELESS.test(word);
    if (isSpaceless && before !== '') terms.push(before + word);
    terms.push(isSpaceless ? word : singular(word.slice(0, TERM_CHARS_MAX)));
    before = isSpaceless ? word : '';
  }
  return terms;
};

/** English words that ask or join and say nothing about what is asked for; other languages' are told by how common they are. */
const ASKING: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be been before but by can could did do does for from get had has have he her his how i if in ' +
    'into is it its just let may me might more most my no not of on or our out over please shall she should so some tell than that the their ' +
    'them then there these they this those to too up us was we were what when where which who whom whose why will with would you your'
  )
    .split(' ')
    .map(singular),
);

/** Words of a question, each once; those that only ask are left out, unless it has no other. */
export const questionTermsOf = (question: string): readonly string[] => {
  const terms = [...new Set(termsOf(question))];
  const telling = terms.filter((term) => !ASKING.has(term));
  return telling.length === 0 ? terms : telling;
};
