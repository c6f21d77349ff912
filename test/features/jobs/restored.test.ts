/**
 * Jobs in an older copy of the table: a moment between the copy and its discovery may have had its
 * run, so none of them runs again, each is accounted for, and the evidence verifies.
 */
import { afterAll, expect, it } from 'vitest';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { loadKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import { loadHistory } from '../../../lib/features/jobs/read-jobs.ts';
import { computeMoments } from '../../../lib/features/jobs/verifier-knowledge.ts';
import { stopRestored } from '../../../lib/features/restore/restore.ts';
import { buildLogWorld, keyOf } from '../../core/log/log-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { signalWith } from '../../support/simulation.ts';

const MINUTE = 60_000;

const dynamo = await startDynamo();
afterAll(dynamo.stop);

it('runs no moment that the copy does not know of, and goes on after the resume', async () => {
  const { space, simulation, run, exportLines } = buildLogWorld(dynamo, { startAt: 1_790_000_040_000 });
  let sent = 0;
  const send = async (payload: Parameters<typeof signalWith>[2]): Promise<void> => {
    sent += 1;
    await simulation.accept(signalWith(space, `tg-1-${sent}`, payload, '7', simulation.now()));
    await simulation.drain();
  };
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute += 1) {
      simulation.advance(MINUTE);
      await simulation.tickJobs();
      await simulation.drain();
    }
  };
  await send({ sensor: 'command', name: 'jobs', rest: 'add report every 10m: Say how it is.' });
  const partition = indexPartitions.pendingApprovals(space);
  const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 1 });
  const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
  await send({ sensor: 'approval-decision', approvalId, decision: 'approve' });
  await minutes(12);
  const calls = simulation.modelCalls();
  // The copy is of now. It is found out 35 minutes later: 3 moments may have had their run.
  simulation.advance(35 * MINUTE);
  const anchors = { newest: async () => ({ size: 1_000_000, commit: 0 }), forgottenSince: async () => [] };
  const deps = { table: dynamo.table, space, anchors, now: simulation.now };
  await stopRestored(deps, { anchored: 1_000_000, found: 3, copiedAt: 0 });
  expect((await loadKillSwitch(dynamo.table, space))?.isStopped).toBe(true);
  simulation.advance(1_000);
  await send({ sensor: 'resume' });
  await minutes(2);
  expect(simulation.modelCalls()).toBe(calls);
  const states = async () =>
    (await loadHistory(dynamo.table, space, 'report', 10)).map(({ occurrence }) => occurrence.state).toReversed();
  expect(await states()).toStrictEqual(['fired', 'skipped', 'skipped', 'skipped']);
  await minutes(9);
  expect(await states()).toStrictEqual(['fired', 'skipped', 'skipped', 'skipped', 'fired']);
  const [, skipped] = (await loadHistory(dynamo.table, space, 'report', 10)).toReversed();
  expect(skipped?.occurrence.why).toMatch(/older copy/);
  await minutes(5);
  await run();
  const { lines } = await exportLines();
  const options = { now: simulation.now(), key: keyOf(space), momentsBetween: computeMoments };
  expect(await verifyExport(lines, options)).toMatchObject({ status: 'verified' });
});
