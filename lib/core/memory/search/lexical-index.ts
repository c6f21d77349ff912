/**
 * Search by words: BM25 over title, tags and content. A note is found by its own words alone, and
 * ranks by those of the notes beside it too: the others of its talk, day or file, and the one above
 * it. The index is a value: a question costs what its words occur, not what memory holds.
 */
import { buildTermsOfMany, questionTermsOf } from './terms.ts';

/** Different words of a question that count. */
const RETRIEVAL_TERMS_MAX = 64;

export interface PlacedText {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** The talk, day or file that it stands in, or the id of the note above it, and where. */
  readonly place?: { readonly group: string; readonly order: number } | undefined;
}

interface Postings {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** Weighted occurrences. */
  readonly counts: Float32Array;
}

/** The place of each text; -1 for none. */
interface Places {
  readonly groupCount: number;
  readonly group: Int32Array;
  /** The group of the notes below it. */
  readonly groupBelow: Int32Array;
  /** Position of the note before it in its group, and of the one after it. */
  readonly before: Int32Array;
  readonly after: Int32Array;
}

export interface LexicalIndex {
  readonly count: number;
  readonly lengths: Float32Array;
  readonly averageLength: number;
  readonly postings: ReadonlyMap<string, Postings>;
  readonly places: Places;
}

/** A long note is not less about its words: little length normalisation. */
const K1 = 1;
const B = 0.4;
const TITLE_WEIGHT = 2;
const TAG_WEIGHT = 2;
/** Shares of their scores that notes one and two places away lend. */
const LENT_BY_NEXT = 0.5;
const LENT_BY_SECOND = 0.25;
/** Share lent by the best note of the group, for each word of the question. */
const LENT_BY_GROUP = 0.4;
/** Weighted words from which a note says enough by itself, so that it is lent less. */
const LENT_WORDS_MAX = 80;

interface Growing {
  readonly positions: number[];
  readonly counts: number[];
}

const buildPlaces = (texts: readonly PlacedText[]): Places => {
  const nowhere = (): Int32Array => new Int32Array(texts.length).fill(-1);
  const places = { group: nowhere(), groupBelow: nowhere(), before: nowhere(), after: nowhere() };
  const placed = texts.flatMap(({ id, place }, position) => (place === undefined ? [] : [{ id, place, position }]));
  const groups = [...Map.groupBy(placed, ({ place }) => place.group)];
  for (const [n, [, members]] of groups.entries()) {
    members.sort((a, b) => a.place.order - b.place.order || (a.id < b.id ? -1 : 1));
    for (const [at, { position }] of members.entries()) {
      places.group[position] = n;
      places.before[position] = members[at - 1]?.position ?? -1;
      places.after[position] = members[at + 1]?.position ?? -1;
    }
  }
  const numbers = new Map(groups.map(([name], n) => [name, n]));
  for (const [position, { id }] of texts.entries()) places.groupBelow[position] = numbers.get(id) ?? -1;
  return { groupCount: groups.length, ...places };
};

export const buildLexicalIndex = (texts: readonly PlacedText[]): LexicalIndex => {
  const growing = new Map<string, Growing>();
  const lengths = new Float32Array(texts.length);
  const termsOf = buildTermsOfMany();
  const add = (position: number, text: string, weight: number): void => {
    const terms = termsOf(text);
    for (const term of terms) {
      const one = growing.get(term) ?? { positions: [], counts: [] };
      if (one.positions.length === 0) growing.set(term, one);
      const last = one.positions.length - 1;
      if (one.positions[last] === position) one.counts[last] = (one.counts[last] ?? 0) + weight;
      else {
        one.positions.push(position);
        one.counts.push(weight);
      }
    }
    lengths[position] = (lengths[position] ?? 0) + weight * terms.length;
  };
  for (const [position, { title, tags, content }] of texts.entries()) {
    add(position, title, TITLE_WEIGHT);
    add(position, tags.join(' '), TAG_WEIGHT);
    add(position, content, 1);
  }
  const postings = new Map(
    [...growing].map(([term, { positions, counts }]) => [
      term,
      { positions: Uint32Array.from(positions), counts: Float32Array.from(counts) },
    ]),
  );
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  return { count: texts.length, lengths, averageLength, postings, places: buildPlaces(texts) };
};

const queryTermsOf = (query: string): readonly string[] => questionTermsOf(query).slice(0, RETRIEVAL_TERMS_MAX);

interface Scores {
  /** By position: of its own words. */
  readonly own: Float64Array;
  /** By group: of each word's best note, summed. */
  readonly groups: Float64Array;
}

const addTerm = (index: LexicalIndex, { positions, counts }: Postings, { own, groups }: Scores): void => {
  const { group, groupBelow } = index.places;
  const weight = Math.log(1 + (index.count - positions.length + 0.5) / (positions.length + 0.5));
  const best = new Map<number, number>();
  const raise = (at: number | undefined, score: number): void => {
    if (at !== undefined && at >= 0 && score > (best.get(at) ?? 0)) best.set(at, score);
  };
  for (let n = 0; n < positions.length; n += 1) {
    const position = positions[n] ?? 0;
    const count = counts[n] ?? 0;
    const length = (index.lengths[position] ?? 0) / index.averageLength;
    const score = (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    own[position] = (own[position] ?? 0) + score;
    raise(group[position], score);
    raise(groupBelow[position], score);
  }
  for (const [at, score] of best) groups[at] = (groups[at] ?? 0) + score;
};

/** Score of each object by position; 0 if it shares no word. */
export const scoreByWords = (index: LexicalIndex, query: string): Float64Array => {
  const { group, before, after, groupCount } = index.places;
  const own = new Float64Array(index.count);
  const groups = new Float64Array(groupCount);
  for (const term of queryTermsOf(query)) {
    const postings = index.postings.get(term);
    if (postings !== undefined) addTerm(index, postings, { own, groups });
  }
  const next = (places: Int32Array, position: number): number => places[position] ?? -1;
  const scoreAt = (position: number): number => own[position] ?? 0;
  return own.map((score, position) => {
    if (score === 0) return 0;
    const [a, b] = [next(before, position), next(after, position)];
    const beside = scoreAt(a) + scoreAt(b);
    const second = scoreAt(next(before, a)) + scoreAt(next(after, b));
    // A note that stands alone is the best of its group.
    const all = groups[next(group, position)] ?? score;
    const share = Math.min(1, LENT_WORDS_MAX / (index.lengths[position] ?? 1));
    return score + share * (LENT_BY_NEXT * beside + LENT_BY_SECOND * second + LENT_BY_GROUP * all);
  });
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
