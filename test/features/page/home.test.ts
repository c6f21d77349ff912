/** The first view of the page: its answer, its reads, and the mark of a change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../../lib/core/edge/console/routes.ts';
import { loadWaiting } from '../../../lib/core/judge/waiting-approvals.ts';
import type { Signal } from '../../../lib/core/signal/signal.ts';
import { approvalKey, indexPartitions, jobKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import { occurrenceId } from '../../../lib/features/jobs/occurrence.ts';
import { loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { beginOccurrence } from '../../../lib/features/jobs/write-occurrence.ts';
import {
  APPROVER_TOKEN,
  SCRIPT_TOKEN,
  startConsole,
  type TestConsole,
} from '../../core/edge/console/console-server.ts';
import {
  buildApproval,
  buildSignal,
  judge,
  putApproval,
  putSignal,
  SPACE,
  toolCall,
} from '../../core/edge/console/stored-fixtures.ts';
import { countingTable } from '../../core/memory/counting-table.ts';
import { makeJob, sampleJob } from '../jobs/sample-job.ts';

const READS_MAX = 6;

let world: TestConsole;

beforeAll(async () => {
  world = await startConsole();
  const { table } = world.dynamo;
  const asked = judge(toolCall('call-webhook', { name: 'shop' }), 'ask');
  await putApproval(table, buildApproval('5a'.repeat(16), asked, { expiresAtMs: world.deps.now() + 3_000_000 }));
  for (let n = 0; n < 60; n += 1)
    await putSignal(table, { signal: buildSignal(`con-${n}`, { receivedAt: 1000 + n }), state: 'acted' });
});
afterAll(() => world.stop());

describe('GET /api/home', () => {
  it('answers as the two lists do', async () => {
    for (const token of [APPROVER_TOKEN, SCRIPT_TOKEN]) {
      const home = await world.ask('GET', '/api/home?limit=40', { token });
      const approvals = await world.ask('GET', '/api/approvals', { token });
      const signals = await world.ask('GET', '/api/signals?roots=true&limit=40', { token });
      expect(approvals.body).toMatchObject({ approvals: [expect.anything()] });
      expect(home).toMatchObject({ status: 200, body: { ...Object(approvals.body), ...Object(signals.body) } });
    }
    expect(await world.ask('GET', '/api/home?limit=0')).toMatchObject({ status: 400 });
  });

  it("says of a job's moment that it was missed, and why; of another signal nothing", async () => {
    const { table } = world.dynamo;
    const when = { kind: 'every', minutes: 60, from: 1_700_000_000_000 } as const;
    await makeJob(table, SPACE, sampleJob({ name: 'tea', when }), 1);
    const job = await loadJob(table, SPACE, 'tea');
    if (job === undefined) throw new Error('there is no job');
    const one = { signalId: occurrenceId('tea', 5), kind: 'rule', instant: 5, state: 'missed', why: 'late' } as const;
    await table.transact(beginOccurrence(SPACE, job, one, 9000));
    const { signals } = Object((await world.ask('GET', '/api/home?limit=2')).body);
    expect(signals).toStrictEqual([
      expect.objectContaining({
        ...{ id: one.signalId, state: 'dropped', text: 'the job tea did not run' },
        occurrence: { state: 'missed', instant: 5, why: 'late' },
      }),
      expect.not.objectContaining({ occurrence: expect.anything() }),
    ]);
  });

  it('cuts a long text to one line, and says so', async () => {
    const payload: Signal['payload'] = {
      ...{ sensor: 'chat-message', text: [{ text: 'long '.repeat(40), origin: 'owner' }] },
    };
    const signal = buildSignal('con-long', { receivedAt: 20_000, payload });
    await putSignal(world.dynamo.table, { signal, state: 'acted' });
    const { signals } = Object((await world.ask('GET', '/api/home?limit=3')).body);
    const [{ text }] = signals.filter(({ id }: { id: string }) => id === 'con-long');
    expect([text.length, text.slice(-5)]).toStrictEqual([120, 'long…']);
  });

  it(`reads the table at most ${READS_MAX} times`, async () => {
    const { counting, during } = countingTable(world.dynamo.table);
    const answer = buildConsole({ ...world.deps, table: counting });
    const { reads } = await during(() =>
      answer({
        ...{ rawPath: '/api/home', rawQueryString: 'limit=40', headers: { authorization: `Bearer ${APPROVER_TOKEN}` } },
        ...{ isBase64Encoded: false, requestContext: { http: { method: 'GET' } } },
      }),
    );
    expect([reads > 0, reads <= READS_MAX]).toStrictEqual([true, true]);
  });

  it('shows no step of a turn', async () => {
    const step = buildSignal('con-long/1', { root: 'con-long', depth: 1, receivedAt: 30_000 });
    await putSignal(world.dynamo.table, { signal: step, state: 'acted' });
    const { signals } = Object((await world.ask('GET', '/api/home?limit=5')).body);
    expect(signals).not.toContainEqual(expect.objectContaining({ id: step.id }));
  });
});

describe('GET /api/home beside items of a later release', () => {
  it('counts what it cannot read, and shows the rest', async () => {
    const { table } = world.dynamo;
    const before = Object((await world.ask('GET', '/api/home?limit=5')).body);
    const later = buildSignal('con-later', { receivedAt: 40_000 });
    await putSignal(table, { signal: later, state: 'acted' });
    await table.update(signalKeys.record(SPACE, later.id), { set: { schemaVersion: 99 } });
    const unknown = buildApproval('5b'.repeat(16), judge(toolCall('call-webhook', { name: 'till' }), 'ask'));
    await putApproval(table, unknown);
    await table.update(approvalKey(SPACE, unknown.id), { set: { schemaVersion: 99 } });
    const { status, body } = await world.ask('GET', '/api/home?limit=5');
    expect([status, Object(body).unread, Object(body).approvals]).toStrictEqual([200, 2, before.approvals]);
    expect(Object(body).signals).toStrictEqual(before.signals);
    expect(Object((await world.ask('GET', '/api/approvals')).body)).toMatchObject({
      unread: 1,
      lines: expect.arrayContaining(['1 more cannot be read by this release: decide with the release that asked.']),
    });
    await table.put(jobKeys.record(SPACE, 'later'), { schemaVersion: 99, name: 'later' });
    expect(Object((await world.ask('GET', '/api/jobs/list')).body).lines.at(-1)).toBe(
      '1 more cannot be read by this release.',
    );
    // Status and health say how it stands all the same.
    expect(await world.ask('GET', '/api/status')).toMatchObject({
      status: 200,
      body: { approvals: before.approvals.length + 1 },
    });
    expect((await world.ask('GET', '/health')).status).toBe(200);
    // A yes in words may be meant for the other one.
    await expect(loadWaiting(table, SPACE, world.deps.now())).rejects.toThrow('schema version 99');
  });
});

describe('GET /api/changes', () => {
  it('gives another mark after a signal came, and after it ended, and else the same', async () => {
    const ask = async () => (await world.ask('GET', '/api/changes')).body;
    const before = await ask();
    expect(await ask()).toStrictEqual(before);
    const { table } = world.dynamo;
    const key = signalKeys.record(SPACE, 'con-new');
    await putSignal(table, { signal: buildSignal('con-new', { receivedAt: 5000 }), state: 'perceived' });
    const set = { unfinishedSpace: indexPartitions.unfinishedSignals(SPACE), unfinishedAt: 6000 };
    await table.update(key, { set });
    const during = await ask();
    expect(during).not.toStrictEqual(before);
    await table.update(key, { remove: ['unfinishedSpace', 'unfinishedAt'] });
    expect([before, during]).not.toContainEqual(await ask());
  });
});
