/**
 * The state of the log, and one step of it: leaves to add, and the writes that add them. The head
 * moves only if nobody moved it since it was read, and entries, tiles, marks and checkpoint are
 * written in the same transaction. So no record is logged twice, and two writers lose nothing.
 */
import { defined } from '../base/defined.ts';
import { StoredItemError } from '../base/errors.ts';
import { buildLeafBytes, type Leaf } from '../evidence/leaf.ts';
import { appendLeaves, EMPTY_RANGE, isSameHash, leafHash, rootOf } from '../evidence/merkle.ts';
import { growTiles, type LogEdge, TILE_WIDTH, type Tile } from '../evidence/tiles.ts';
import { absent, allOf, type Condition, equals, IS_NEW } from '../store/condition.ts';
import { type Key, logKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item, ReadTable, Table, Write } from '../store/table.ts';
import { LogHead, type Mark, type Marks, packEntries, rangeOf, StoredEdge, unpackEntries } from './stored.ts';

/** The log between two steps, as its writer knows it. */
export interface LogState {
  readonly space: string;
  /** Absent before the first leaf. */
  readonly head: LogHead | undefined;
  readonly edge: LogEdge;
}

/** A signal with the marks its records had before the step. */
interface MarkedSignal {
  readonly signalId: string;
  readonly before: Marks['leaves'];
}

/** A leaf, with its signal and mark if it has one. */
export interface NewLeaf {
  readonly leaf: Leaf;
  readonly signalId?: string;
  readonly mark?: string;
}

export interface LogStep {
  readonly leaves: readonly NewLeaf[];
  readonly signals: readonly MarkedSignal[];
  /** The last commit that has its leaf with this step. */
  readonly lastCommit: number;
  readonly keyId: string;
  readonly keyCount: number;
  /** The key that this step replaces, or one replaced before whose checkpoint is still due. */
  readonly replacedKeyId: string | undefined;
  /** Everything forgotten up to this step is kept outside the table. */
  readonly isForgottenKept?: boolean;
  /** Signs the checkpoint with every key that must; absent if none is due. */
  readonly sign?: (size: number, root: Uint8Array) => string;
  readonly now: number;
  /** Further writes: keys, tombstones. */
  readonly more: readonly Write[];
}

export interface Stepped {
  readonly state: LogState;
  readonly writes: readonly Write[];
  /** The new checkpoint, if the step made one. */
  readonly checkpoint: { readonly size: number; readonly note: string } | undefined;
}

const isStillAt = (head: LogHead | undefined): Condition => ({
  name: `the log still has ${head?.size ?? 0} leaves`,
  holds:
    head === undefined
      ? absent('pk')
      : allOf(equals('size', head.size), equals('checkpointSize', head.checkpointSize), equals('keyId', head.keyId)),
});

/** Chunks never cross the border of a tile, so each is written once. */
const entryWrites = (space: string, start: number, entries: readonly Uint8Array[]): readonly Write[] => {
  const writes: Write[] = [];
  for (let done = 0; done < entries.length; ) {
    const first = start + done;
    const count = Math.min(entries.length - done, TILE_WIDTH - (first % TILE_WIDTH));
    const item = packEntries(first, entries.slice(done, done + count));
    writes.push({ kind: 'put', key: logKeys.entries(space, first), item, condition: IS_NEW });
    done += count;
  }
  return writes;
};

const isFull = ({ ref }: Tile): boolean => ref.width === TILE_WIDTH;

const tileWrites = (space: string, edge: LogEdge, tiles: readonly Tile[]): readonly Write[] => {
  const full = tiles.filter(isFull).map(({ ref, bytes }): Write => {
    const key = logKeys.tile(space, Number(ref.level), ref.index);
    return { kind: 'put', key, item: { schemaVersion: 1, bytes }, condition: IS_NEW };
  });
  // The lowest partial tile is made from its entries; those above change once in 256 leaves.
  if (full.length === 0) return [];
  const partials = Object.fromEntries(
    edge.partials.flatMap((bytes, level) => (level === 0 || bytes.length === 0 ? [] : [[String(level), bytes]])),
  );
  return [...full, { kind: 'put', key: logKeys.edge(space), item: { schemaVersion: 1, partials } }];
};

const markWrites = (space: string, { leaves, signals }: LogStep, start: number): readonly Write[] => {
  const added = new Map<string, Record<string, Mark>>();
  for (const [at, { leaf, signalId, mark }] of leaves.entries()) {
    if (signalId === undefined || mark === undefined) continue;
    added.set(signalId, { ...added.get(signalId), [mark]: { index: start + at, hash: leaf.hash } });
  }
  return signals.flatMap(({ signalId, before }): readonly Write[] => {
    const marks = added.get(signalId);
    if (marks === undefined) return [];
    const item = { schemaVersion: 1, leaves: { ...before, ...marks } };
    return [{ kind: 'put', key: logKeys.marks(space, signalId), item }];
  });
};

/** Pure. @throws ProtocolError for a malformed leaf */
export const planStep = (state: LogState, step: LogStep): Stepped => {
  const { space, head } = state;
  const start = state.edge.range.size;
  const entries = step.leaves.map(({ leaf }) => buildLeafBytes(leaf));
  const { edge, tiles } = growTiles(state.edge, entries.map(leafHash));
  const { size } = edge.range;
  const note = step.sign?.(size, rootOf(edge.range));
  const next: LogHead = {
    schemaVersion: 1,
    size,
    hashes: [...edge.range.hashes],
    lastCommit: step.lastCommit,
    keyId: step.keyId,
    keyCount: step.keyCount,
    ...defined({ replacedKeyId: note === undefined ? step.replacedKeyId : undefined }),
    ...(step.isForgottenKept === true ? { isForgottenKept: true } : {}),
    checkpointSize: note === undefined ? (head?.checkpointSize ?? 0) : size,
    at: step.now,
  };
  const writes: readonly Write[] = [
    { kind: 'put', key: logKeys.head(space), item: next, condition: isStillAt(head) },
    ...entryWrites(space, start, entries),
    ...tileWrites(space, edge, tiles),
    ...markWrites(space, step, start),
    ...(note === undefined ? [] : [checkpointWrite(space, size, note, step.now)]),
    ...step.more,
  ];
  return {
    state: { space, head: next, edge },
    writes,
    checkpoint: note === undefined ? undefined : { size, note },
  };
};

const checkpointWrite = (space: string, size: number, note: string, at: number): Write => ({
  kind: 'put',
  key: logKeys.checkpoint(space, size),
  item: { schemaVersion: 1, size, note, at },
  condition: IS_NEW,
});

/** Entries of the last, partial tile. */
const loadLastEntries = async (table: ReadTable, space: string, size: number): Promise<readonly Uint8Array[]> => {
  const first = size - (size % TILE_WIDTH);
  if (first === size) return [];
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const skBetween = logKeys.entriesBetween(first, size - 1);
    const page = await table.query({ pk: logKeys.partition(space), skBetween, isConsistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  const entries = unpackEntries(items, first);
  if (entries.length !== size - first)
    throw new StoredItemError('the log', `its last tile holds ${entries.length} entries, and should ${size - first}`);
  return entries;
};

const partialsOf = (item: Item | undefined, lowest: Uint8Array): readonly Uint8Array[] => {
  const above = item === undefined ? {} : parseStored(item, StoredEdge).partials;
  const levels = Math.max(0, ...Object.keys(above).map(Number));
  return [lowest, ...Array.from({ length: levels }, (_, at) => above[String(at + 1)] ?? new Uint8Array(0))];
};

/** The log before it is known whether anything is to be appended: most runs append nothing. */
export interface LogStart {
  readonly head: LogHead | undefined;
  readonly edgeItem: Item | undefined;
  /** Items that were read with it. */
  readonly others: readonly (Item | undefined)[];
}

export const loadLogStart = async (
  table: Pick<Table, 'load'>,
  space: string,
  more: readonly Key[] = [],
): Promise<LogStart> => {
  const keys = { head: logKeys.head(space), edge: logKeys.edge(space), others: more };
  const { head, edge, others } = await loadNamed(table, keys);
  return { head: head === undefined ? undefined : parseStored(head, LogHead), edgeItem: edge, others };
};

/** @throws StoredItemError if items do not belong together: a log was tampered with */
export const loadLogState = async (table: ReadTable, space: string, start?: LogStart): Promise<LogState> => {
  const { head, edgeItem } = start ?? (await loadLogStart(table, space));
  const range = rangeOf(head);
  const hashes = (await loadLastEntries(table, space, range.size)).map(leafHash);
  const tail = appendLeaves(EMPTY_RANGE, hashes).hashes;
  const expected = range.hashes.slice(range.hashes.length - tail.length);
  if (!tail.every((hash, at) => isSameHash(hash, expected[at] ?? new Uint8Array(0))))
    throw new StoredItemError('the log', 'its last entries are not those its head commits to');
  return { space, head, edge: { range, partials: partialsOf(edgeItem, Buffer.concat(hashes)) } };
};
