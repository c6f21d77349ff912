/**
 * One step of the log: its state, leaves to add, and the writes that add them. The head moves under the condition that nobody
 * moved it since it was read, and entries, tiles, marks and checkpoint are written in the same transaction or not at all: so
 * no record is logged twice, whoever crashes, and two writers at once lose nothing. Pure.
 */

import { defined } from '../base/defined.ts';
import { buildLeafBytes, type Leaf } from '../evidence/leaf.ts';
import { leafHash, rootOf } from '../evidence/merkle.ts';
import { growTiles, type LogEdge, TILE_WIDTH, type Tile } from '../evidence/tiles.ts';
import { absent, allOf, type Condition, equals, IS_NEW } from '../store/condition.ts';
import { logKeys } from '../store/keys.ts';
import type { Write } from '../store/table.ts';
import { type LogHead, type Mark, type Marks, packEntries } from './stored.ts';

/** What a writer knows of the log between two steps. */
export interface LogState {
  readonly space: string;
  /** Absent before the first leaf. */
  readonly head: LogHead | undefined;
  readonly edge: LogEdge;
}

/** Records of one signal and what became of their marks. */
export interface MarkedSignal {
  readonly signalId: string;
  readonly before: Marks['leaves'];
}

/** A leaf with the signal and mark it belongs to, where it has one. */
export interface NewLeaf {
  readonly leaf: Leaf;
  readonly signalId?: string;
  readonly mark?: string;
}

export interface Step {
  readonly leaves: readonly NewLeaf[];
  readonly signals: readonly MarkedSignal[];
  /** Last commit that has its leaf with this step. */
  readonly lastCommit: number;
  readonly keyId: string;
  readonly keyCount: number;
  /** The key this step replaces, or one replaced before whose checkpoint is still due. */
  readonly replacedKeyId: string | undefined;
  /** How far the search for older records has got. */
  readonly backfill?: LogHead['backfill'];
  /** All that was forgotten up to this step is kept outside the table. */
  readonly isForgottenKept?: boolean;
  /** Signs the checkpoint of this size, with every key that must; absent where none is wanted yet. */
  readonly sign?: (size: number, root: Uint8Array) => string;
  readonly now: number;
  /** Further writes: keys, tombstones. */
  readonly more: readonly Write[];
}

export interface Stepped {
  readonly state: LogState;
  readonly writes: readonly Write[];
  /** Of the new checkpoint, where one was made. */
  readonly checkpoint: { readonly size: number; readonly note: string } | undefined;
}

const isStillAt = (head: LogHead | undefined): Condition => ({
  name: `the log still has ${head?.size ?? 0} leaves`,
  holds:
    head === undefined
      ? absent('pk')
      : allOf(equals('size', head.size), equals('checkpointSize', head.checkpointSize), equals('keyId', head.keyId)),
});

/** Chunks that never cross the border of a tile: each is written once. */
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
  // The lowest partial tile is made anew from its entries; those above change once in 256 leaves.
  if (full.length === 0) return [];
  const partials = Object.fromEntries(
    edge.partials.flatMap((bytes, level) => (level === 0 || bytes.length === 0 ? [] : [[String(level), bytes]])),
  );
  return [...full, { kind: 'put', key: logKeys.edge(space), item: { schemaVersion: 1, partials } }];
};

const markWrites = (space: string, { leaves, signals }: Step, start: number): readonly Write[] => {
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

/** @throws ProtocolError on a leaf that does not fit */
export const planStep = (state: LogState, step: Step): Stepped => {
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
    ...(note === undefined && step.replacedKeyId !== undefined ? { replacedKeyId: step.replacedKeyId } : {}),
    ...defined({ backfill: step.backfill }),
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
