/**
 * What there is to go back to, and what going back would change: reads only, for whoever may not write memory. Consistent.
 */
import { ProtocolError } from '../base/errors.ts';
import { loadItem } from '../store/load-named.ts';
import { drive } from './forest.ts';
import { SNAPSHOT_PREFIX, snapshotKeys } from './keys.ts';
import { type MemoryReader, queryAll, type ReadTable } from './read.ts';
import { planRollback, type RollbackPlan } from './rollback.ts';
import { parseSnapshot, parseSnapshotName, type Snapshot } from './snapshot.ts';
import type { PlanBase } from './write.ts';

const SNAPSHOTS_MAX = 1_000;

export interface LookBack {
  /** By name. */
  readonly snapshots: () => Promise<readonly Snapshot[]>;
  /** The commit a snapshot's name or a number means. @throws ProtocolError when there is none. */
  readonly resolve: (to: string | number) => Promise<number>;
  /** What a rollback would change now. */
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
    return items.map(parseSnapshot);
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
    if (item === undefined) throw new ProtocolError(`there is no snapshot ${plain}`);
    return parseSnapshot(item).number;
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
    return drive(planRollback(target, head.number, affected, records), read);
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
