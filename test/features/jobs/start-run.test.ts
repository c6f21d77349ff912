import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { startRun } from '../../../lib/features/jobs/start-run.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { makeJob, sampleJob } from './sample-job.ts';

const NOW = 1_790_000_040_000;

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

describe('startRun', () => {
  it.each([
    ['skip', 1],
    ['queue', 2],
  ] as const)('of two events that read the job at once, overlap %s: %i runs', async (overlap, runs) => {
    const definition = sampleJob({ when: { kind: 'event', source: 'shop' }, overlap });
    await makeJob(dynamo.table, overlap, definition, NOW);
    const job = await loadJob(dynamo.table, overlap, 'morning');
    if (job === undefined) throw new Error('there is no job');
    const start = (signalId: string) =>
      startRun(dynamo.table, overlap, job, { signalId, kind: 'event', instant: NOW, state: 'fired' }, NOW);
    const started = await Promise.allSettled([start('job-a'), start('job-b')]);
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(runs);
    expect(await loadJob(dynamo.table, overlap, 'morning')).toMatchObject({ running: runs });
    // The other one reads the job again later.
    for (const one of started) if (one.status === 'rejected') expect(one.reason).toMatchObject({ isRetryable: true });
  });
});
