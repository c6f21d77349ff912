/**
 * Where vectors are kept: `vector#<space>` holds a state (which model, which commit of memory they are of, which segments
 * there are) and the segments, packed. Segments are written before the state that names them, and carry a revision, so that
 * a warm reader loads only those that changed: one request for the state, one for every eight segments that are new to it. Fails with
 * UnavailableError (try later) or StoredItemError.
 */
import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { StoredItemError } from '../../base/errors.ts';
import { parseSegment, type VectorEntry, type VectorSegment } from '../../memory/search/vector-segment.ts';
import { absent, type Condition, equals } from '../../store/condition.ts';
import type { Key } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';

/** Segments read at once: 2.4 MB, which a small function can hold several times over. */
const VECTOR_SEGMENTS_PER_READ = 8;

const partition = (space: string): string => `vector#${space}`;
export const vectorKeys = {
  state: (space: string): Key => ({ pk: partition(space), sk: 'state' }),
  segment: (space: string, n: number): Key => ({ pk: partition(space), sk: `segment#${String(n).padStart(4, '0')}` }),
} as const;

export const VectorState = z.object({
  schemaVersion: z.literal(1),
  /** Counts changes of this item. */
  revision: z.int(),
  /** `modelIdOf` the model's name. */
  model: z.string(),
  /** Everything that may have a vector had one as of this commit. */
  commit: z.int(),
  segments: z.array(z.object({ n: z.int(), revision: z.int(), count: z.int() })),
  /** The endpoint failed so many times in a row, and is left alone until then (epoch milliseconds). */
  failures: z.optional(z.int()),
  retryAt: z.optional(z.int()),
});
export type VectorState = z.infer<typeof VectorState>;

/** @throws StoredItemError naming key and problem */
export const parseVectorState = (item: Item | undefined): VectorState | undefined => {
  if (item === undefined) return undefined;
  const state = VectorState.safeParse(item);
  if (state.success) return state.data;
  throw new StoredItemError(
    'vector state',
    `schema version ${String(item.schemaVersion)} is not known to this release`,
  );
};

export interface NumberedSegment {
  readonly n: number;
  readonly revision: number;
  readonly segment: VectorSegment;
}

const segmentOf = (item: Item | undefined): VectorSegment | undefined =>
  item?.bytes instanceof Uint8Array ? parseSegment(item.bytes) : undefined;

/** Gives the segments of a state, read once for each revision. Keep it for as long as the process lives. */
export const buildLoadSegments = (
  table: Pick<Table, 'load'>,
  space: string,
): ((state: VectorState) => Promise<readonly NumberedSegment[]>) => {
  let known: ReadonlyMap<number, NumberedSegment> = new Map();
  return async ({ segments }) => {
    const open = segments.filter(({ n, revision }) => known.get(n)?.revision !== revision);
    const read = new Map<number, Omit<NumberedSegment, 'segment'> & { readonly segment: VectorSegment | undefined }>();
    // A few at a time: an answer takes several times its size while it is read.
    for (let first = 0; first < open.length; first += VECTOR_SEGMENTS_PER_READ) {
      const some = open.slice(first, first + VECTOR_SEGMENTS_PER_READ);
      const keys = some.map(({ n }) => vectorKeys.segment(space, n));
      const items = await table.load(keys, { isConsistent: true });
      for (const [at, { n, revision }] of some.entries()) read.set(n, { n, revision, segment: segmentOf(items[at]) });
    }
    const all = segments.flatMap(({ n }): readonly NumberedSegment[] => {
      const one = read.get(n) ?? known.get(n);
      return one?.segment === undefined ? [] : [{ ...one, segment: one.segment }];
    });
    known = new Map(all.map((one) => [one.n, one]));
    return all;
  };
};

/** Replaces a segment; without bytes nothing is left of it. */
export const saveSegment = async (
  table: Pick<Table, 'put'>,
  space: string,
  { n, bytes }: { readonly n: number; readonly bytes?: Uint8Array | undefined },
): Promise<void> => table.put(vectorKeys.segment(space, n), { schemaVersion: 1, ...defined({ bytes }) });

/** @throws ConditionError when another tick wrote it since it was read */
export const saveVectorState = async (
  table: Pick<Table, 'put'>,
  space: string,
  state: Omit<VectorState, 'schemaVersion' | 'revision'>,
  seen: VectorState | undefined,
): Promise<void> => {
  const holds = seen === undefined ? absent('pk') : equals('revision', seen.revision);
  const isUnchanged: Condition = { name: 'no other tick wrote the vectors', holds };
  await table.put(
    vectorKeys.state(space),
    { ...state, schemaVersion: 1, revision: (seen?.revision ?? 0) + 1 },
    isUnchanged,
  );
};

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
