/**
 * Gives the last records their leaves before a backup reads the table, so that a restore finds
 * every record in the log, however the stack ended.
 */
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import type { Anchors } from '../../../lib/core/log/anchor.ts';
import { buildWriter } from '../../../lib/core/stages/upkeep/writer.ts';
import { checkDataVersion } from '../../../lib/core/store/data-version.ts';
import type { Table } from '../../../lib/core/store/table.ts';

export interface LeavesInput {
  readonly table: Table;
  readonly space: string;
  /** The keys that sign the log, by the names of their settings. */
  readonly keys: ReadonlyMap<string, string>;
  /** Absent for a copy: its checkpoints are not those of the running stack. */
  readonly anchors: Anchors | undefined;
  /** The moment that the table is of, epoch milliseconds. */
  readonly at: number;
}

/** @throws NewerDataError, ConfigError (the keys), StoredItemError */
export const writeLeaves = async ({ table, space, keys, anchors, at }: LeavesInput): Promise<void> => {
  await checkDataVersion(table, space);
  let isMore = true;
  const write = buildWriter({
    table,
    space,
    anchors,
    readSecrets: async () => keys,
    wake: async () => {
      isMore = true;
    },
    loadGateSet: async () => GATE_SET,
    log: () => undefined,
    now: () => at,
  });
  while (isMore) {
    isMore = false;
    await write(
      { stage: 'log', v: 1, space, round: 0 },
      () => Number.POSITIVE_INFINITY,
      () => undefined,
    );
  }
};
