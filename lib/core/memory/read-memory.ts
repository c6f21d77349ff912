/**
 * Memory of one space for code that may only read it (I2): the reads of `buildMemory` without any
 * code that writes. Keep it while the process lives: later calls move its view on.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { SNAPSHOT_NAME_CHARS_MAX } from '../base/limits.ts';
import { loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import { queryAll } from '../store/query-all.ts';
import type { Item, ReadTable } from '../store/table.ts';
import { runReading } from './forest.ts';
import { buildMemoryHistory, type MemoryHistory } from './history.ts';
import { AUTO_PREFIX, SNAPSHOT_PREFIX, snapshotKeys } from './keys.ts';
import type { Memory } from './memory.ts';

import { Sha256 } from './object-parts.ts';
import { buildLoadView, buildReader, loadCurrent, type MemoryReader, type MemoryView } from './read.ts';
import { buildRecall } from './recall.ts';
import { planRollback, type RollbackPlan } from './rollback.ts';
import type { PlanBase } from './write.ts';

export const Snapshot = z.object({
  schemaVersion: z.literal(1),
  name: z.string(),
  /** The last commit it holds. */
  number: z.int(),
  /** Hash of that commit's record. */
  hash: Sha256,
  at: z.int(),
  signalId: z.string(),
  effectId: z.string(),
  actor: z.string(),
  /** An earlier release dropped it. */
  isDropped: z.optional(z.literal(true)),
});
export type Snapshot = z.infer<typeof Snapshot>;

export const parseSnapshot = (item: Item): Snapshot => parseStored(item, Snapshot);

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u;

/** A name in its one spelling, never digits alone. @throws ProtocolError */
export const parseSnapshotName = (name: string): string => {
  const plain = name.trim().normalize('NFC');
  if (plain.length > SNAPSHOT_NAME_CHARS_MAX || !NAME.test(plain))
    throw new ProtocolError(
      `a snapshot's name is at most ${SNAPSHOT_NAME_CHARS_MAX} letters, digits, spaces, dots and dashes`,
    );
  if (/^\d+$/.test(plain)) throw new ProtocolError("a snapshot's name needs a letter: a number means a commit");
  return plain;
};

const SNAPSHOTS_MAX = 1_000;

/** Those that nobody named, each once: one may lie in several places. */
const loadAutoSnapshots = async (table: Pick<ReadTable, 'query'>, space: string): Promise<readonly Snapshot[]> => {
  const { items } = await queryAll(table, { pk: snapshotKeys.partition(space), skPrefix: AUTO_PREFIX });
  const kept = items.map(parseSnapshot).filter(({ isDropped }) => isDropped !== true);
  return [...new Map(kept.map((snapshot) => [snapshot.name, snapshot])).values()].sort((a, b) => a.at - b.at);
};

export interface LookBack {
  /** Those of the program first, then by name. */
  readonly snapshots: () => Promise<readonly Snapshot[]>;
  /** The commit that a snapshot's name or a number means. @throws ProtocolError if there is none */
  readonly resolve: (to: string | number) => Promise<number>;
  readonly planRollback: (to: string | number) => Promise<RollbackPlan>;
}

export interface LookBackDeps {
  readonly table: ReadTable;
  readonly space: string;
  readonly reader: MemoryReader;
}

export const buildLookBack = ({ table, space, reader }: LookBackDeps) => {
  const snapshots = async (): Promise<readonly Snapshot[]> => {
    const query = { pk: snapshotKeys.partition(space), skPrefix: SNAPSHOT_PREFIX };
    const { items } = await queryAll(table, query, (read) => read.length >= SNAPSHOTS_MAX);
    return [...(await loadAutoSnapshots(table, space)), ...items.map(parseSnapshot)];
  };

  const resolve = async (to: string | number): Promise<number> => {
    const { number } = await reader.loadHead();
    const asNumber = typeof to === 'number' ? to : /^\d{1,10}$/.test(to.trim()) ? Number(to) : undefined;
    if (asNumber !== undefined) {
      if (!Number.isInteger(asNumber) || asNumber < 0 || asNumber > number)
        throw new ProtocolError(`memory has commits 0 to ${number}`);
      return asNumber;
    }
    const plain = parseSnapshotName(String(to));
    const item = await loadItem(table, snapshotKeys.name(space, plain));
    if (item !== undefined) return parseSnapshot(item).number;
    const auto = (await loadAutoSnapshots(table, space)).find(({ name }) => name === plain);
    if (auto === undefined) throw new ProtocolError(`there is no snapshot ${plain}`);
    return auto.number;
  };

  const planOn = async ({ head, read }: PlanBase, target: number) => {
    const records = await reader.loadRecords(target + 1, head.number);
    const ids = [...new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))];
    const now = await read(ids);
    const then = await reader.loadVersions(ids, target);
    const affected = ids.flatMap((id) => {
      const object = now.get(id);
      return object === undefined ? [] : [{ now: object, was: then.get(id) }];
    });
    return runReading(planRollback(target, head.number, affected, records), read);
  };

  const look: LookBack = {
    snapshots,
    resolve,
    planRollback: async (to) => {
      const target = await resolve(to);
      const head = await reader.loadHead();
      const read = (ids: readonly string[]) => reader.loadMany(ids, head.number);
      return (await planOn({ head, read }, target)).plan;
    },
  };
  return { ...look, planOn };
};

export interface ReadMemory extends LookBack, MemoryHistory, Pick<Memory, 'recall' | 'load'> {
  readonly view: () => Promise<MemoryView>;
}

export const buildReadMemory = (table: ReadTable, space: string): ReadMemory => {
  const reader = buildReader(table, space);
  const view = buildLoadView(reader);
  const { planOn: _, ...look } = buildLookBack({ table, space, reader });
  return {
    ...buildMemoryHistory({ table, space, reader, view }),
    ...look,
    view,
    load: (id) => loadCurrent(reader, id),
    recall: buildRecall(view, Date.now),
  };
};
