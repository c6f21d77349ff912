/**
 * Keeps vectors: `vector#<space>` holds a state (the model, the commit of memory, the list
 * of segments) and the packed segments. Segments are written before the state that names them, and
 * carry a revision, so that a warm reader loads only changed ones. Fails with UnavailableError (try
 * later) or StoredItemError.
 */
import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { parseSegment, type VectorEntry, type VectorSegment } from '../../memory/search/vector-segment.ts';
import { absent, type Condition, equals } from '../../store/condition.ts';
import type { Key } from '../../store/keys.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';
import { wasWritten } from '../../store/update-if.ts';

/** Segments read at once: 2.4 MB, several times which fits a small function. */
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
  /** As of this commit everything that may have a vector had one. */
  commit: z.int(),
  segments: z.array(z.object({ n: z.int(), revision: z.int(), count: z.int() })),
  /** Failures in a row, and until when the endpoint is left alone (epoch milliseconds). */
  failures: z.optional(z.int()),
  retryAt: z.optional(z.int()),
});
export type VectorState = z.infer<typeof VectorState>;

/** @throws StoredItemError naming key and problem */
export const parseVectorState = (item: Item | undefined): VectorState | undefined =>
  item === undefined ? undefined : parseStored(item, VectorState, 'vector state');

export interface NumberedSegment {
  readonly n: number;
  readonly revision: number;
  readonly segment: VectorSegment;
}

const segmentOf = (item: Item | undefined): VectorSegment | undefined =>
  item?.bytes instanceof Uint8Array ? parseSegment(item.bytes) : undefined;

/** Reads each revision of a segment once. Keep it for the life of a process. */
export const buildLoadSegments = (
  table: Pick<Table, 'load'>,
  space: string,
): ((state: VectorState) => Promise<readonly NumberedSegment[]>) => {
  let known: ReadonlyMap<number, NumberedSegment> = new Map();
  return async ({ segments }) => {
    const open = segments.filter(({ n, revision }) => known.get(n)?.revision !== revision);
    const read = new Map<number, Omit<NumberedSegment, 'segment'> & { readonly segment: VectorSegment | undefined }>();
    // A few at a time: while it is read, an answer takes several times its size.
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

/** Replaces a segment; without bytes it becomes empty. */
export const saveSegment = async (
  table: Pick<Table, 'put'>,
  space: string,
  { n, bytes }: { readonly n: number; readonly bytes?: Uint8Array | undefined },
): Promise<void> => table.put(vectorKeys.segment(space, n), { schemaVersion: 1, ...defined({ bytes }) });

/** If another tick wrote meanwhile, it did the same work: its state stands. */
export const saveVectorState = async (
  table: Pick<Table, 'put'>,
  space: string,
  state: Omit<VectorState, 'schemaVersion' | 'revision'>,
  seen: VectorState | undefined,
): Promise<void> => {
  const holds = seen === undefined ? absent('pk') : equals('revision', seen.revision);
  const isUnchanged: Condition = { name: 'no other tick wrote the vectors', holds };
  const item = { ...state, schemaVersion: 1, revision: (seen?.revision ?? 0) + 1 };
  await wasWritten(table.put(vectorKeys.state(space), item, isUnchanged));
};

export interface SegmentPlan {
  /** Segments to write; one without entries becomes empty. */
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
 * Plans the writes so that the stored vectors become the wanted ones: a segment that loses a vector
 * is written again, new vectors go where there is room.
 * @param isKept whether the stored vector of an object's version stays
 * @param perSegment vectors that fit one segment
 * @param nextRevision greater than any before, so that a reused number is not taken for the old
 * segment
 */
export const planSegments = (
  current: readonly NumberedSegment[],
  isKept: (id: string, version: number) => boolean,
  added: readonly VectorEntry[],
  perSegment: number,
  nextRevision: number,
): SegmentPlan => {
  const waiting = [...added];
  const parts = current.map(({ n, revision, segment }) => {
    const entries = entriesOf(segment).filter(({ id, version }) => isKept(id, version));
    const isChanged = entries.length < segment.ids.length;
    return { n, revision, entries: [...entries], isChanged };
  });
  // Segments that are written anyway come first.
  for (const one of [...parts].sort((a, b) => Number(b.isChanged) - Number(a.isChanged))) {
    const taken = waiting.splice(0, Math.max(0, perSegment - one.entries.length));
    one.entries.push(...taken);
    one.isChanged ||= taken.length > 0;
  }
  for (let n = Math.max(-1, ...parts.map((one) => one.n)) + 1; waiting.length > 0; n += 1)
    parts.push({ n, revision: 0, entries: waiting.splice(0, perSegment), isChanged: true });
  return {
    writes: parts.filter(({ isChanged }) => isChanged).map(({ n, entries }) => ({ n, entries })),
    segments: parts
      .filter(({ entries }) => entries.length > 0)
      .map(({ n, revision, entries, isChanged }) => ({
        n,
        revision: isChanged ? nextRevision : revision,
        count: entries.length,
      })),
  };
};
