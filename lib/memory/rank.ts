/**
 * Ranking of memory objects by the words they share with a question. A rare word says more than a common one. The order
 * depends on nothing but the question and the set of objects: equal scores go newest first, then by id. Pure.
 */
import type { LiveObject } from './object.ts';
import { wordsOf } from './words.ts';

interface Candidate {
  readonly object: LiveObject;
  readonly words: ReadonlySet<string>;
}

/** Newest first; ids break ties, so that the order is total. */
export const byNewest = (a: LiveObject, b: LiveObject): number =>
  b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

type WordsIn = (object: LiveObject) => ReadonlySet<string>;

const wordsIn: WordsIn = ({ content, attributes }) =>
  wordsOf([attributes.title ?? '', content, ...attributes.tags].join('\n'));

/** The ranking for a process that asks often: the words of an object are taken apart once. */
export const buildRankByWords = (): ((query: string, objects: readonly LiveObject[]) => readonly LiveObject[]) => {
  const known = new WeakMap<LiveObject, ReadonlySet<string>>();
  const remembered: WordsIn = (object) => {
    const words = known.get(object) ?? wordsIn(object);
    known.set(object, words);
    return words;
  };
  return (query, objects) => rankByWords(query, objects, remembered);
};

/** Objects that share at least one word with the query, best first. */
export const rankByWords = (
  query: string,
  objects: readonly LiveObject[],
  wordsOfObject: WordsIn = wordsIn,
): readonly LiveObject[] => {
  const candidates: readonly Candidate[] = objects.map((object) => ({ object, words: wordsOfObject(object) }));
  const weights = [...wordsOf(query)].map((word) => {
    const holders = candidates.filter((candidate) => candidate.words.has(word)).length;
    return { word, weight: holders === 0 ? 0 : Math.log(1 + candidates.length / holders) };
  });
  return candidates
    .map(({ object, words }) => ({
      object,
      score: weights.reduce((sum, { word, weight }) => (words.has(word) ? sum + weight : sum), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || byNewest(a.object, b.object))
    .map(({ object }) => object);
};
