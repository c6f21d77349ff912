/**
 * What has to be written so that the stored vectors are those wanted: a segment that holds one which must go is written anew
 * without it, new ones go where there is room. Pure.
 */
import type { VectorEntry, VectorSegment } from '../../memory/search/vector-segment.ts';
import type { NumberedSegment, VectorState } from './vector-store.ts';

export interface SegmentPlan {
  /** Segments to write; without entries nothing is to be left of them. */
  readonly writes: readonly { readonly n: number; readonly entries: readonly VectorEntry[] }[];
  readonly segments: VectorState['segments'];
}

/** The vectors of a segment; packing them again gives the same bytes. */
export const entriesOf = (segment: VectorSegment): readonly VectorEntry[] =>
  segment.ids.map((id, n) => {
    const values = segment.values.subarray(n * segment.dimensions, (n + 1) * segment.dimensions);
    const scale = segment.scales[n] ?? 0;
    return { id, version: segment.versions[n] ?? 0, vector: Float64Array.from(values, (value) => value * scale) };
  });

/**
 * @param isKept whether a stored vector of an object's version stays; @param perSegment vectors that fit one segment
 * @param nextRevision greater than any before: a segment that comes back under its number is not taken for the old one
 */
export const planSegments = (
  current: readonly NumberedSegment[],
  isKept: (id: string, version: number) => boolean,
  added: readonly VectorEntry[],
  perSegment: number,
  nextRevision: number,
): SegmentPlan => {
  const waiting = [...added];
  const kept = current.map(({ n, revision, segment }) => {
    const entries = entriesOf(segment).filter(({ id, version }) => isKept(id, version));
    const isChanged = entries.length < segment.ids.length;
    return { n, revision, entries: [...entries], isChanged };
  });
  // First where something is written anyway.
  for (const one of [...kept].sort((a, b) => Number(b.isChanged) - Number(a.isChanged))) {
    const taken = waiting.splice(0, Math.max(0, perSegment - one.entries.length));
    one.entries.push(...taken);
    one.isChanged ||= taken.length > 0;
  }
  for (let n = Math.max(-1, ...kept.map((one) => one.n)) + 1; waiting.length > 0; n += 1)
    kept.push({ n, revision: 0, entries: waiting.splice(0, perSegment), isChanged: true });
  return {
    writes: kept.filter(({ isChanged }) => isChanged).map(({ n, entries }) => ({ n, entries })),
    segments: kept
      .filter(({ entries }) => entries.length > 0)
      .map(({ n, revision, entries, isChanged }) => ({
        n,
        revision: isChanged ? nextRevision : revision,
        count: entries.length,
      })),
  };
};
