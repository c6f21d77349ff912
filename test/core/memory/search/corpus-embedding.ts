/**
 * An embedding without a model, for measuring retrieval offline: random indexing. Every note gets a
 * fixed direction hashed from its place; a word is the sum of the directions of the notes it stands
 * in and of the words beside it, so words used alike point alike; a text is the sum of its words
 * and of its letter trigrams, rare ones counting more. Like a model's, its vocabulary is closed:
 * what stands in one note alone it knows by its letters only. Real in kind (learned from text,
 * dense, compared by cosine), far weaker than a trained model: what it says about fusion holds, its
 * own scores are a floor.
 */
import { termsOf } from '../../../../lib/core/memory/search/terms.ts';

export const DIMENSIONS = 384;
export const EMBEDDING_NAME = `random indexing over the notes and a dozen lines of everyday synonyms, ${DIMENSIONS} dimensions (no trained model)`;

const WINDOW = 12;
const NONZERO = 12;
const TRIGRAM_WEIGHT = 0.25;
const SECOND_ROUND_WEIGHT = 1;

const hashOf = (text: string): number => {
  let hash = 2166136261;
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 16777619);
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822519) >>> 0;
};

/** Adds the sparse direction a text hashes to. */
const addDirection = (sum: Float64Array, text: string, weight: number): void => {
  let state = hashOf(text);
  for (let n = 0; n < NONZERO; n += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const at = (state >>> 8) % DIMENSIONS;
    sum[at] = (sum[at] ?? 0) + ((state & 128) === 0 ? weight : -weight);
  }
};

const addVector = (sum: Float64Array, other: ArrayLike<number>, weight: number): void => {
  for (let n = 0; n < DIMENSIONS; n += 1) sum[n] = (sum[n] ?? 0) + (other[n] ?? 0) * weight;
};

const normalised = (vector: Float64Array): Float64Array => {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
};

const trigramsOf = (word: string): readonly string[] => {
  const framed = `<${word}>`;
  return Array.from({ length: Math.max(0, framed.length - 2) }, (_, n) => framed.slice(n, n + 3));
};

/** Directions of the words around each word, summed. */
const learnOnce = (
  documents: readonly (readonly string[])[],
  add: (sum: Float64Array, term: string) => void,
): ReadonlyMap<string, Float64Array> => {
  const learned = new Map<string, Float64Array>();
  for (const terms of documents)
    for (const [at, term] of terms.entries()) {
      const sum = learned.get(term) ?? new Float64Array(DIMENSIONS);
      for (const other of terms.slice(Math.max(0, at - WINDOW), at + WINDOW + 1)) add(sum, other);
      learned.set(term, sum);
    }
  return new Map([...learned].map(([term, sum]) => [term, normalised(sum)]));
};

/** Learns from texts; gives a function from any text to its vector. */
export const learnEmbedding = (texts: readonly string[]): ((text: string) => Float64Array) => {
  const documents = texts.map(termsOf);
  const frequency = new Map<string, number>();
  for (const terms of documents) for (const term of new Set(terms)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const weightOf = (term: string): number => Math.log(1 + documents.length / (1 + (frequency.get(term) ?? 0)));
  const vocabulary = documents.map((terms) => terms.filter((term) => (frequency.get(term) ?? 0) > 1));
  const near = learnOnce(vocabulary, (sum, other) => addDirection(sum, `word ${other}`, weightOf(other) ** 2));
  // A second round: words whose neighbours have like neighbours, though no two of them ever met.
  const wide = learnOnce(vocabulary, (sum, other) => addVector(sum, near.get(other) ?? sum, weightOf(other) ** 2));
  const words = new Map(
    [...near].map(([term, vector]) => {
      const sum = Float64Array.from(vector);
      addVector(sum, wide.get(term) ?? vector, SECOND_ROUND_WEIGHT);
      return [term, normalised(sum)];
    }),
  );
  return (text) => {
    const sum = new Float64Array(DIMENSIONS);
    for (const term of termsOf(text)) {
      const word = words.get(term);
      if (word !== undefined) addVector(sum, word, weightOf(term));
      const grams = trigramsOf(term);
      const weight = (TRIGRAM_WEIGHT * weightOf(term)) / Math.sqrt(grams.length * NONZERO);
      for (const gram of grams) addDirection(sum, `gram ${gram}`, weight);
    }
    return normalised(sum);
  };
};
