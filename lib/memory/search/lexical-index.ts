/**
 * Search by words: BM25 over title, tags and content. Words are folded (case, width, accents) and
 * English plurals cut; scripts without spaces give characters and pairs. The index is a value: a
 * question costs what its words occur, not what memory holds.
 */

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
/** Longer strings are encoded data or identifiers. */
const TERM_CHARS_MAX = 64;

/** Upper case first: `ß` and `SS` share only their capitals. */
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

/** English words that only ask or join; those of other languages count little by being common. */
const ASKING: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be been before but by can could did do does for from get had has have he her his how i if in ' +
    'into is it its just let may me might more most my no not of on or our out over please shall she should so some tell than that the their ' +
    'them then there these they this those to too up us was we were what when where which who whom whose why will with would you your'
  )
    .split(' ')
    .map(singular),
);

/** Words of a question, each once, without those that only ask, unless it has no others. */
export const questionTermsOf = (question: string): readonly string[] => {
  const terms = [...new Set(termsOf(question))];
  const telling = terms.filter((term) => !ASKING.has(term));
  return telling.length === 0 ? terms : telling;
};

/** Different words of a question that count. */
const RETRIEVAL_TERMS_MAX = 64;

export interface IndexedText {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

interface Postings {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** Weighted occurrences. */
  readonly counts: Float32Array;
}

export interface LexicalIndex {
  readonly count: number;
  readonly lengths: Float32Array;
  readonly averageLength: number;
  readonly postings: ReadonlyMap<string, Postings>;
}

/** A long note is not less about its words: little length normalisation. */
const K1 = 1.2;
const B = 0.5;
const TITLE_WEIGHT = 2;
const TAG_WEIGHT = 2;

interface Growing {
  readonly positions: number[];
  readonly counts: number[];
}

const countsOf = ({ title, content, tags }: IndexedText): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
  };
  add(title, TITLE_WEIGHT);
  add(tags.join(' '), TAG_WEIGHT);
  add(content, 1);
  return counts;
};

export const buildLexicalIndex = (texts: readonly IndexedText[]): LexicalIndex => {
  const growing = new Map<string, Growing>();
  const lengths = new Float32Array(texts.length);
  for (const [position, text] of texts.entries()) {
    let length = 0;
    for (const [term, count] of countsOf(text)) {
      const one = growing.get(term) ?? { positions: [], counts: [] };
      one.positions.push(position);
      one.counts.push(count);
      growing.set(term, one);
      length += count;
    }
    lengths[position] = length;
  }
  const postings = new Map(
    [...growing].map(([term, { positions, counts }]) => [
      term,
      { positions: Uint32Array.from(positions), counts: Float32Array.from(counts) },
    ]),
  );
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  return { count: texts.length, lengths, averageLength, postings };
};

const queryTermsOf = (query: string): readonly string[] => questionTermsOf(query).slice(0, RETRIEVAL_TERMS_MAX);

/** Score of each object by position; 0 if it shares no word. */
export const scoreByWords = (index: LexicalIndex, query: string): Float64Array => {
  const scores = new Float64Array(index.count);
  for (const term of queryTermsOf(query)) {
    const postings = index.postings.get(term);
    if (postings === undefined) continue;
    const { positions, counts } = postings;
    const weight = Math.log(1 + (index.count - positions.length + 0.5) / (positions.length + 0.5));
    for (let n = 0; n < positions.length; n += 1) {
      const position = positions[n] ?? 0;
      const count = counts[n] ?? 0;
      const length = (index.lengths[position] ?? 0) / index.averageLength;
      scores[position] = (scores[position] ?? 0) + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    }
  }
  return scores;
};

/** Words shared with the question, the rarest first. */
export const sharedTerms = (index: LexicalIndex, query: string, position: number): readonly string[] =>
  queryTermsOf(query)
    .flatMap((term) => {
      const postings = index.postings.get(term);
      return postings !== undefined && holds(postings.positions, position)
        ? [{ term, count: postings.positions.length }]
        : [];
    })
    .sort((a, b) => a.count - b.count || (a.term < b.term ? -1 : 1))
    .map(({ term }) => term);

/** Share of a question that an object answers by its words, 0 to 1; rare words weigh more. */
export const shareOfQuestion = (index: LexicalIndex, query: string, position: number): number => {
  let all = 0;
  let held = 0;
  for (const term of queryTermsOf(query)) {
    const positions = index.postings.get(term)?.positions ?? new Uint32Array();
    const weight = Math.log(1 + (index.count + 1) / (positions.length + 1));
    all += weight;
    if (holds(positions, position)) held += weight;
  }
  return all === 0 ? 0 : held / all;
};

/** Binary search: positions ascend. */
const holds = (positions: Uint32Array, position: number): boolean => {
  let low = 0;
  let high = positions.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = positions[middle] ?? 0;
    if (found === position) return true;
    if (found < position) low = middle + 1;
    else high = middle - 1;
  }
  return false;
};
