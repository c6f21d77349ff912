/** The bounds of one tick: whatever it leaves is first in the next one. */
import { expect, it } from 'vitest';
import { HEARTBEAT_HOOKS } from '../../../functions/heartbeat/features.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { sweepDue } from '../../../lib/core/stages/upkeep/sweep-due.ts';
import { loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { countingTable } from '../../core/memory/counting-table.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { makeJob, sampleJob } from './sample-job.ts';

const NOW = Date.UTC(2026, 5, 1, 9);
const HOUR_MS = 3_600_000;
const nowhere = async (): Promise<void> => undefined;

it('checks 200 conditions in a tick, the oldest first, and the others in the next one', async () => {
  await using dynamo = await startDynamo();
  const names = Array.from({ length: 203 }, (_, n) => `job-${n}`);
  for (const name of names) {
    const when = { kind: 'condition', holds: 'facts.usdToday < 1', minutes: 60, from: NOW - HOUR_MS } as const;
    await makeJob(dynamo.table, 'space', sampleJob({ name, when }), NOW - HOUR_MS);
  }
  const { counting, during } = countingTable(dynamo.table);
  const deps = {
    ...{ table: counting, space: 'space', now: NOW + HOUR_MS, hooks: HEARTBEAT_HOOKS },
    ...{ publishPerceive: nowhere, publishManyPerceive: nowhere, sendOrderOf: nowhere },
    loadGateSet: async () => GATE_SET,
  };
  const started: number[] = [];
  const counts = await during(async () => void started.push(await sweepDue(deps)));
  expect(counts.reads + counts.writes).toBeLessThan(1_100);
  started.push(await sweepDue(deps), await sweepDue(deps));
  expect(started).toStrictEqual([200, 3, 0]);
  const jobs = await Promise.all(names.map((name) => loadJob(dynamo.table, 'space', name)));
  expect(jobs.map((job) => job?.running)).toStrictEqual(names.map(() => 1));
});
