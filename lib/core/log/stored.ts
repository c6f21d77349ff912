/**
 * Items of the evidence log as they are stored: schemas, and the packing of entries. Another schema
 * version is a StoredItemError. Entries are deflated: their member names repeat. Pure.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { StoredItemError } from '../base/errors.ts';
import { type CompactRange, parseRange, rootOf } from '../evidence/merkle.ts';
import { buildEntryBundle, parseEntryBundle } from '../evidence/tiles.ts';
import { GateSetContent } from '../gates/engine/gate-set-content.ts';
import type { MemoryPosition } from '../signal/decision.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item } from '../store/table.ts';
import { FixedTombstoneShape } from './tombstone.ts';

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const Count = z.int().check(z.nonnegative());

export const LogHead = z.object({
  schemaVersion: z.literal(1),
  size: Count,
  /** Hashes of its compact range. */
  hashes: z.array(Bytes),
  /** Number of the last commit that has its leaf. */
  lastCommit: Count,
  /** Id of the key that signs, and how many there have been. */
  keyId: z.string(),
  keyCount: Count,
  /** A key replaced since the last checkpoint: both sign the next one. */
  replacedKeyId: z.optional(z.string()),
  /** Everything that an earlier release forgot is kept outside the table too. */
  isForgottenKept: z.optional(z.literal(true)),
  /** Leaves of the newest checkpoint. */
  checkpointSize: Count,
  /** Time of the newest leaves, epoch milliseconds. */
  at: Count,
});
export type LogHead = z.infer<typeof LogHead>;

export const StoredEdge = z.object({ schemaVersion: z.literal(1), partials: z.record(z.string(), Bytes) });
export const StoredTile = z.object({ schemaVersion: z.literal(1), bytes: Bytes });
export const StoredCheckpoint = z.object({ schemaVersion: z.literal(1), size: Count, note: z.string(), at: Count });
export const StoredKey = z.object({ schemaVersion: z.literal(1), key: z.string() });
export const StoredGateSet = z.object({ schemaVersion: z.literal(1), content: GateSetContent });
const StoredEntries = z.object({ schemaVersion: z.literal(1), start: Count, count: Count, packed: Bytes });

export const StoredForgotten = z.object({
  schemaVersion: z.literal(1),
  /** The commit that forgot it. */
  commit: Count,
  fixed: FixedTombstoneShape,
});
export type StoredForgotten = z.infer<typeof StoredForgotten>;

/** The newest leaf of a record. */
export const Mark = z.strictObject({ index: Count, hash: z.string() });
export type Mark = z.infer<typeof Mark>;
/** By record: `decision`, `effect#0`, `approval#<reference>`, `job#<name>#1`, `runner-job#0` … */
export const Marks = z.object({ schemaVersion: z.literal(1), leaves: z.record(z.string(), Mark) });
export type Marks = z.infer<typeof Marks>;

/** @throws StoredItemError if size and hashes do not belong together */
export const rangeOf = (head: LogHead | undefined): CompactRange => {
  if (head === undefined) return { size: 0, hashes: [] };
  try {
    return parseRange(head.size, head.hashes);
  } catch (error) {
    throw new StoredItemError('the head of the log', error instanceof Error ? error.message : 'unreadable');
  }
};

/** @param entries of one chunk, which never crosses the border of a tile */
export const packEntries = (start: number, entries: readonly Uint8Array[]): Item => ({
  schemaVersion: 1,
  start,
  count: entries.length,
  packed: deflateRawSync(buildEntryBundle(entries)),
});

/** Entries from number `first` on. @throws StoredItemError if one is missing or malformed */
export const unpackEntries = (items: readonly Item[], first: number): readonly Uint8Array[] => {
  const entries: Uint8Array[] = [];
  for (const item of items) {
    const chunk = parseStored(item, StoredEntries);
    if (chunk.start !== first + entries.length)
      throw new StoredItemError(`${item.pk} ${item.sk}`, `entry ${first + entries.length} is missing before it`);
    try {
      entries.push(...parseEntryBundle(inflateRawSync(chunk.packed), chunk.count));
    } catch (error) {
      throw new StoredItemError(`${item.pk} ${item.sk}`, error instanceof Error ? error.message : 'unreadable');
    }
  }
  return entries;
};

/**
 * Size and root of the newest checkpoint, from the log's stored head. Empty if leaves came since
 * that checkpoint, or if the head cannot be read: no conversation fails because of the log.
 */
export const positionOfLog = (item: Item | undefined): Pick<MemoryPosition, 'treeSize' | 'rootHash'> => {
  if (item === undefined) return {};
  try {
    const head = parseStored(item, LogHead);
    if (head.size === 0 || head.size !== head.checkpointSize) return {};
    return { treeSize: head.size, rootHash: Buffer.from(rootOf(rangeOf(head))).toString('base64') };
  } catch (error) {
    if (error instanceof StoredItemError) return {};
    throw error;
  }
};
