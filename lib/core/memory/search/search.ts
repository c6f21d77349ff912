/**
 * Finds objects for a question by words (BM25), by meaning (vectors), or both: each score is taken
 * as a share of the best of its kind, and the shares are added. Vectors weigh as much as they agree
 * with the surest hits by words, so that a weak model harms nothing. Objects of the time that the
 * question names count double, newer ones come earlier among near equals. Pure: `now` is a value.
 */
import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/limits.ts';
import { buildLexicalIndex, type LexicalIndex, type PlacedText, scoreByWords, sharedTerms } from './lexical-index.ts';
import { spanOfQuestion, type TimeSpan } from './time-span.ts';
import { scoreByVector, type VectorSegment } from './vector-segment.ts';

/** Best objects of each kind that are fused. */
const RETRIEVAL_CANDIDATES_MAX = 100;
/** After this time an object's bonus for being new is halved. */
const RETRIEVAL_RECENCY_HALF_LIFE_MS = 30 * DAY_MS;

export interface RetrievalObject extends PlacedText {
  readonly version: number;
  readonly updatedAt: number;
  /** The moment it is about. */
  readonly at: number;
}

/** Built once for a state of memory, asked any number of times. */
export interface RetrievalIndex {
  /** The index is the position. */
  readonly objects: readonly RetrievalObject[];
  readonly positions: ReadonlyMap<string, number>;
  readonly words: LexicalIndex;
}

export interface RetrievalQuestion {
  readonly text: string;
  /** Vector by the named model; absent: words alone. */
  readonly vector?: { readonly values: ArrayLike<number>; readonly model: string } | undefined;
}

export interface RetrievalView {
  readonly segments: readonly VectorSegment[];
  readonly now: number;
  readonly limit: number;
  /** Objects for which it does not hold are never found. */
  readonly isShown?: ((id: string) => boolean) | undefined;
}

export interface RetrievalHit {
  readonly id: string;
  readonly version: number;
  /** Comparable within one search only. */
  readonly score: number;
  readonly why: {
    /** Rank by words, from 1, and shared words, the rarest first. */
    readonly wordRank?: number;
    readonly words: readonly string[];
    /** Rank by meaning, from 1, and the cosine. */
    readonly vectorRank?: number;
    readonly similarity?: number;
    /** Above 1 for new objects. */
    readonly recencyFactor: number;
  };
}

/** Small: it orders near equals only. */
const RECENCY_BONUS = 0.05;
/** For an object of the time that the question names. */
const TIME_FACTOR = 2;
/** Best hits by words that show whether the vectors know what the question is about. */
const SURE_HITS = 3;
/** Standard deviations by which they stand out from which vectors count, and count in full. */
const AGREEMENT_MIN = 2.5;
const AGREEMENT_FULL = 5;
/** Enough to order objects without a word of the question. */
const VECTOR_WEIGHT_MIN = 0.01;

export const buildRetrievalIndex = (objects: readonly RetrievalObject[]): RetrievalIndex => ({
  objects,
  positions: new Map(objects.map(({ id }, position) => [id, position])),
  words: buildLexicalIndex(objects),
});

interface Ranked {
  readonly position: number;
  readonly score: number;
  readonly object: RetrievalObject;
}

/** Best first; equal scores newest first, then by id. */
const byScore = (a: Ranked, b: Ranked): number =>
  b.score - a.score ||
  b.object.updatedAt - a.object.updatedAt ||
  (a.object.id < b.object.id ? -1 : a.object.id > b.object.id ? 1 : 0);

/** The best of many without sorting all of them. */
const best = (candidates: Iterable<Ranked>, count: number): readonly Ranked[] => {
  let kept: Ranked[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate.score < least) continue;
    kept.push(candidate);
    if (kept.length < count * 4) continue;
    kept = kept.sort(byScore).slice(0, count);
    least = kept.at(-1)?.score ?? least;
  }
  return kept.sort(byScore).slice(0, count);
};

const isVisible = ({ id }: RetrievalObject, { isShown }: RetrievalView): boolean => isShown?.(id) !== false;

const timeFactor = ({ at }: RetrievalObject, span: TimeSpan | undefined): number =>
  span !== undefined && at >= span.from && at < span.until ? TIME_FACTOR : 1;

const rankByWords = function* (
  index: RetrievalIndex,
  text: string,
  view: RetrievalView,
  span: TimeSpan | undefined,
): Generator<Ranked> {
  const scores = scoreByWords(index.words, text);
  for (const [position, object] of index.objects.entries()) {
    const score = scores[position] ?? 0;
    if (score > 0 && isVisible(object, view)) yield { position, score: score * timeFactor(object, span), object };
  }
};

/** A vector of an older version still counts; the newest one of an object wins. */
const rankByVector = (index: RetrievalIndex, question: RetrievalQuestion, view: RetrievalView): readonly Ranked[] => {
  if (question.vector === undefined) return [];
  const newest = new Map<number, { readonly version: number; readonly score: number }>();
  for (const { id, version, similarity } of scoreByVector(
    view.segments,
    question.vector.values,
    question.vector.model,
  )) {
    const position = index.positions.get(id);
    if (position === undefined || similarity <= 0) continue;
    if ((newest.get(position)?.version ?? -1) < version) newest.set(position, { version, score: similarity });
  }
  return [...newest].flatMap(([position, { score }]) => {
    const object = index.objects[position];
    return object !== undefined && isVisible(object, view) ? [{ position, score, object }] : [];
  });
};

const recencyFactor = ({ updatedAt }: RetrievalObject, now: number): number =>
  1 + RECENCY_BONUS * 2 ** (-Math.max(0, now - updatedAt) / RETRIEVAL_RECENCY_HALF_LIFE_MS);

const meanOf = (ranked: readonly Ranked[]): number =>
  ranked.reduce((sum, { score }) => sum + score, 0) / Math.max(1, ranked.length);

/** A share of the best score. @param floor means nothing: strangers have a high cosine too */
const buildShare =
  (top: number, floor: number) =>
  (score: number | undefined): number => {
    if (score === undefined) return 0;
    return top > floor ? Math.max(0, (score - floor) / (top - floor)) : 1;
  };

/** Weight of the vectors beside the words, up to 1. */
const vectorWeight = (words: readonly Ranked[], vectors: readonly Ranked[]): number => {
  const positions = words.slice(0, SURE_HITS).map(({ position }) => position);
  const sure = vectors.filter(({ position }) => positions.includes(position));
  if (sure.length === 0) return 1;
  const mean = meanOf(vectors);
  const deviation = Math.sqrt(vectors.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / vectors.length);
  const agreement = deviation === 0 ? 0 : (meanOf(sure) - mean) / deviation;
  const weight = (agreement - AGREEMENT_MIN) / (AGREEMENT_FULL - AGREEMENT_MIN);
  return Math.max(VECTOR_WEIGHT_MIN, Math.min(1, weight));
};

/** Best first, at most `limit`. */
export const search = (
  index: RetrievalIndex,
  question: RetrievalQuestion,
  view: RetrievalView,
): readonly RetrievalHit[] => {
  const span = spanOfQuestion(question.text, view.now);
  const words = best(rankByWords(index, question.text, view, span), RETRIEVAL_CANDIDATES_MAX);
  const allVectors = rankByVector(index, question, view);
  const vectors = best(allVectors, RETRIEVAL_CANDIDATES_MAX);
  const wordHits = new Map(words.map(({ position, score }, n) => [position, { rank: n + 1, score }]));
  const vectorHits = new Map(vectors.map(({ position, score }, n) => [position, { rank: n + 1, score }]));
  const wordShare = buildShare(words[0]?.score ?? 0, 0);
  const vectorShare = buildShare(vectors[0]?.score ?? 0, meanOf(allVectors));
  const weight = vectorWeight(words, allVectors);
  const fused = [...new Set([...wordHits.keys(), ...vectorHits.keys()])].flatMap((position): readonly Ranked[] => {
    const object = index.objects[position];
    if (object === undefined) return [];
    const meant = weight * vectorShare(vectorHits.get(position)?.score) * timeFactor(object, span);
    const shares = wordShare(wordHits.get(position)?.score) + meant;
    return [{ position, object, score: shares * recencyFactor(object, view.now) }];
  });
  return best(fused, Math.max(0, Math.trunc(view.limit))).map(({ position, object, score }): RetrievalHit => {
    const wordRank = wordHits.get(position)?.rank;
    const vector = vectorHits.get(position);
    return {
      id: object.id,
      version: object.version,
      score,
      why: {
        ...defined({ wordRank }),
        words: sharedTerms(index.words, question.text, position),
        ...defined({ vectorRank: vector?.rank, similarity: vector?.score }),
        recencyFactor: recencyFactor(object, view.now),
      },
    };
  });
};
