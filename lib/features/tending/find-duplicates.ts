/**
 * Finds notes that say the same: the same text after folding, and nearly the same by their vectors.
 * Vectors of the notes that changed lately are compared with all, so that a day's work is bounded.
 * Pure.
 */

import type { LiveObject } from '../../core/memory/object.ts';
import { scoreByVector, type VectorSegment } from '../../core/memory/search/vector-segment.ts';
import { caseless } from '../../core/text/canonical-text.ts';

/** Notes that say the same, the oldest first. */
export type Duplicates = readonly LiveObject[];

export interface NearDuplicate {
  readonly a: LiveObject;
  readonly b: LiveObject;
  /** Cosine. */
  readonly similarity: number;
}

/** Shorter texts are the same by chance: `yes`, `see above`. */
const DUPLICATE_CHARS_MIN = 12;
/** Cosine from which two notes say nearly the same. */
const NEAR_SIMILARITY_MIN = 0.95;
/** Changed notes of which each is compared with all: a tenth of a second in a space of 10,000. */
const NEAR_NOTES_MAX = 50;

const fold = (text: string): string => caseless(text).replace(/\s+/gu, ' ').trim();

const byAge = (a: LiveObject, b: LiveObject): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** Notes that may be merged say the same in all that matters. One from outside taints no other. */
const formOf = ({ attributes: { title = '', todo = '' }, content, scope, origin, parentId = '' }: LiveObject): string =>
  [fold(title), fold(content), todo, scope, origin === 'outside', parentId].join('\n');

export const findDuplicates = (notes: readonly LiveObject[]): readonly Duplicates[] => {
  const fit = notes.filter(({ content }) => content.trim().length >= DUPLICATE_CHARS_MIN);
  return [...Map.groupBy(fit, formOf).values()]
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted(byAge));
};

/** The vector of an object's version; undefined if there is none. */
const vectorOf = (segments: readonly VectorSegment[], { id, version }: LiveObject) => {
  for (const { ids, versions, values, dimensions, model } of segments) {
    const n = ids.indexOf(id);
    if (n >= 0 && versions[n] === version)
      return { model, vector: values.subarray(n * dimensions, (n + 1) * dimensions) };
  }
  return undefined;
};

/** @param since epoch milliseconds: notes that changed later are compared with all */
export const findNearDuplicates = (
  notes: readonly LiveObject[],
  segments: readonly VectorSegment[],
  since: number,
): readonly NearDuplicate[] => {
  const byId = new Map(notes.map((note) => [note.id, note]));
  const changed = notes
    .filter(({ updatedAt }) => updatedAt >= since)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
    .slice(0, NEAR_NOTES_MAX);
  const pairs = new Map<string, NearDuplicate>();
  for (const note of changed) {
    const own = vectorOf(segments, note);
    if (own === undefined) continue;
    for (const { id, version, similarity } of scoreByVector(segments, own.vector, own.model)) {
      const other = byId.get(id);
      if (similarity < NEAR_SIMILARITY_MIN || other === undefined || id === note.id) continue;
      if (other.version !== version || formOf(other) === formOf(note)) continue;
      const [a = note, b = other] = [note, other].toSorted(byAge);
      pairs.set(`${a.id} ${b.id}`, { a, b, similarity });
    }
  }
  return [...pairs.values()].toSorted((x, y) => y.similarity - x.similarity || (x.a.id < y.a.id ? -1 : 1));
};
