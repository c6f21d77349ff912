import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeJob, changeWrites } from '../../../lib/features/jobs/change-job.ts';
import { loadHistory, loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { makeJob, sampleJob } from './sample-job.ts';

const MINUTE = 60_000;
const NOW = 1_790_000_040_000;
const definition = sampleJob({ when: { kind: 'every', minutes: 10, from: NOW + 10 * MINUTE } });

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const pausedAt = (space: string, now: number) =>
  changeJob(
    dynamo.table,
    { space, signalId: `con-${now}`, effectId: `${space}/con-${now}#0`, by: 'telegram:7', now },
    'morning',
    () => ({ definition, state: 'paused', why: 'paused' }),
  );

describe('changeJob', () => {
  it('skips the moments that have not started, each after the one before', async () => {
    await makeJob(dynamo.table, 'skips', definition, NOW);
    const { from } = await pausedAt('skips', NOW + 25 * MINUTE);
    const history = await loadHistory(dynamo.table, 'skips', 'morning', 10);
    expect(
      history.map(({ occurrence: { instant, after, state, version } }) => [
        instant - NOW,
        (after ?? 0) - NOW,
        state,
        version,
      ]),
    ).toStrictEqual([
      [20 * MINUTE, 10 * MINUTE, 'skipped', 1],
      [10 * MINUTE, 0, 'skipped', 1],
    ]);
    expect(from).toBe(NOW + 25 * MINUTE);
  });

  it('begins no version before moments that are accounted for, whatever its clock says', async () => {
    await makeJob(dynamo.table, 'clocks', definition, NOW);
    expect((await pausedAt('clocks', NOW - 5_000)).from).toBe(NOW);
    expect(await loadJob(dynamo.table, 'clocks', 'morning')).toMatchObject({ version: 2, accountedTo: NOW });
  });

  it('takes a single moment that passed while its card waited, for an hour, into a new job alone', async () => {
    const when = { kind: 'once', at: new Date(NOW).toISOString().slice(0, 16), zone: 'UTC' } as const;
    const once = sampleJob({ when });
    const moment = Math.floor(NOW / MINUTE) * MINUTE;
    const makeAt = async (space: string, now: number) => {
      await makeJob(dynamo.table, space, once, now);
      return loadJob(dynamo.table, space, 'morning');
    };
    expect(await makeAt('in-time', moment + 59 * MINUTE)).toMatchObject({
      accountedTo: moment - 1,
      unfinishedAt: moment,
    });
    const tooLate = await makeAt('too-late', moment + 60 * MINUTE);
    expect(tooLate).toMatchObject({ accountedTo: moment + 60 * MINUTE });
    expect(tooLate?.unfinishedAt).toBeUndefined();
    await makeJob(dynamo.table, 'edited', definition, NOW);
    const changer = { space: 'edited', signalId: 'con-2', effectId: 'edited/con-2#0', by: 'telegram:7' };
    const edited = { definition: once, state: 'active', why: 'edited' } as const;
    await changeJob(dynamo.table, { ...changer, now: NOW + 5 * MINUTE }, 'morning', () => edited);
    expect((await loadJob(dynamo.table, 'edited', 'morning'))?.unfinishedAt).toBeUndefined();
    await makeJob(dynamo.table, 'paused', once, moment - MINUTE, 'paused');
    await changeJob(
      dynamo.table,
      { ...changer, space: 'paused', effectId: 'paused/con-2#0', now: moment + 5 * MINUTE },
      'morning',
      () => ({ definition: once, state: 'active', why: 'resumed' }),
    );
    expect((await loadJob(dynamo.table, 'paused', 'morning'))?.unfinishedAt).toBeUndefined();
  });

  it('refuses for now while too many moments are not accounted for', async () => {
    await makeJob(dynamo.table, 'many', definition, NOW);
    const job = await loadJob(dynamo.table, 'many', 'morning');
    const now = NOW + 500 * MINUTE;
    const changer = { space: 'many', signalId: 'con-1', effectId: 'many/con-1#0', by: 'telegram:7', now };
    expect(() => changeWrites(changer, job, { definition, state: 'paused', why: 'paused' })).toThrowError(
      expect.objectContaining({ name: 'RetryLaterError' }),
    );
  });
});
