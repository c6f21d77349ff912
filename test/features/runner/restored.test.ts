/**
 * Jobs of machines in an older copy of the table: they may have had their run since the copy was
 * made, so nobody can take them now, and their effects can be settled as unknown at once.
 */
import { describe, expect, it } from 'vitest';
import { runnerKeys } from '../../../lib/core/store/keys.ts';
import type { Table } from '../../../lib/core/store/table.ts';
import { stopRestored } from '../../../lib/features/restore/restore.ts';
import { buildOrderRowItem, isOver, loadOrderRow, takeOrder } from '../../../lib/features/runner/order-row.ts';
import { buildRunnerWorld } from '../../core/evidence/runner-world.ts';
import { NOW } from '../../core/gates/samples.ts';
import { eachSpace } from '../../support/each-space.ts';

let table: Table;
let space: string;
eachSpace('runner-restored', (here) => {
  ({ table, space } = here);
});

const { journal } = buildRunnerWorld();
const [job, receipt] = [journal[0], journal[1]];
if (job?.kind !== 'job' || receipt?.kind !== 'receipt') throw new Error('the journal begins with a job it took');
const { id } = job.signed.job;
const LATER = NOW + 30 * 60_000;

describe('stopRestored', () => {
  it.each(['queued', 'taken', 'ended'] as const)('lets nobody take a job that was %s', async (state) => {
    const signed = { ...job.signed, job: { ...job.signed.job, space } };
    await table.put(runnerKeys.job(space, id), {
      ...buildOrderRowItem(signed, { session: 'telegram:7', consentedAt: NOW }),
      state,
    });
    const anchors = { newest: async () => ({ size: 9, commit: 0 }), forgottenSince: async () => [] };
    await stopRestored({ table, space, anchors, now: () => LATER }, { anchored: 9, found: 3, copiedAt: 0 });
    expect(await takeOrder(table, space, id, receipt.signed, LATER)).toBe(undefined);
    const row = await loadOrderRow(table, space, id);
    // A result that is there already is settled as it is.
    expect(row?.state).toBe(state === 'ended' ? 'ended' : 'lost');
    expect(row !== undefined && isOver(row, LATER)).toBe(true);
  });
});
