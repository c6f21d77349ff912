/** A list of signals is searched, filtered and counted within bounds, with names for people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../../../lib/core/edge/console/routes.ts';
import type { ListedSignal } from '../../../../lib/core/edge/console/views.ts';
import { packRun } from '../../../../lib/core/ledger/run.ts';
import type { Signal } from '../../../../lib/core/signal/signal.ts';
import { runKeys, signalKeys } from '../../../../lib/core/store/keys.ts';
import { sha256Of } from '../../../../lib/features/runbooks/begin-run.ts';
import { countingTable } from '../../memory/counting-table.ts';
import { APPROVER_TOKEN, startConsole, type TestConsole } from './console-server.ts';
import {
  buildApproval,
  buildAttempt,
  buildDecision,
  buildSignal,
  judge,
  putApproval,
  putSignal,
  reply,
  SPACE,
  toolCall,
} from './stored-fixtures.ts';

/** Reads of a search through 500 entries: five pages, and their records. */
const SEARCH_READS_MAX = 12;

const RUNBOOK = `name: restart-shop
description: Restarts the shop.
tools: [call-webhook]
steps:
  - webhook: restart
  - text: It is back.
`;

let world: TestConsole;

const chat = (text: string): Signal['payload'] => ({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] });
const event = (source: string, kind: string): Signal['payload'] => ({
  ...{ sensor: 'webhook', source, event: kind, body: {} },
  text: [{ text: `${source} sent ${kind}`, origin: 'outside' }],
});

beforeAll(async () => {
  world = await startConsole();
  const { table } = world.dynamo;
  const put = (id: string, at: number, over: Partial<Signal>, more: Omit<Parameters<typeof putSignal>[1], 'signal'>) =>
    putSignal(table, { signal: buildSignal(id, { receivedAt: at, ...over }), ...more });
  await put('con-bike', 1000, { payload: chat('My bike is BLUE') }, { state: 'acted' });
  const called = (id: string, ...states: readonly string[]) => {
    const toolCalls = states.map((state) => ({ tool: 'remember', state }));
    return table.update(signalKeys.record(SPACE, id), { set: { toolCalls } });
  };
  await called('con-bike', 'failed', 'done');
  const said = judge(reply('hello'));
  const cost = { id: 'c', usd: 20_000, tokens: 1, isEstimated: false, turnUsd: 20_000 };
  await put(
    'con-dear',
    2000,
    { payload: chat('think hard') },
    {
      state: 'acted',
      decision: buildDecision('con-dear', [said], { attempt: buildAttempt(1, [said], { cost }) }),
    },
  );
  await called('con-dear', 'failed');
  const github = { source: 'github', session: 'webhook:github', reply: { target: 'telegram', to: '7' } } as const;
  await put(
    'wh-1',
    3000,
    { ...github, payload: event('github', 'push') },
    {
      state: 'dropped',
      record: { stateReason: 'no job waits for it' },
    },
  );
  await put(
    'wh-2',
    4000,
    { ...github, payload: event('github', 'pull_request') },
    {
      state: 'dropped',
      record: { stateReason: 'handed to the job watch' },
    },
  );
  await put(
    'con-yes',
    5000,
    { payload: { sensor: 'approval-decision', approvalId: '5a'.repeat(16), decision: 'approve' } },
    {
      state: 'acted',
    },
  );
  const asked = judge(
    toolCall('call-webhook', { webhook: 'deploy', body: { service: 'shop', version: '1.2' } }),
    'ask',
  );
  await putApproval(table, buildApproval('5a'.repeat(16), asked, {}));
  const hash = sha256Of(RUNBOOK);
  await table.put(runKeys.text(SPACE, hash), { schemaVersion: 1, text: RUNBOOK });
  const at = [0];
  const step = { at, kind: 'step', tries: 0, since: 6001, endsAt: 9000 } as const;
  const run = packRun({
    ...{ schemaVersion: 1, id: 'run-1', runbook: 'restart-shop', hash, inputs: {}, origin: 'owner', state: 'running' },
    ...{
      session: 'console:main',
      reply: { target: 'console', to: 'main' },
      by: 'console-approver',
      askedBy: 'approver',
    },
    ...{ n: 1, current: step, ended: [], hashes: {}, hashesBefore: {}, startedAt: 6000, changedAt: 6001, endsAt: 9000 },
    looks: 0,
  });
  await table.put(runKeys.record(SPACE, 'run-1'), run);
  for (const [n, at] of [6000, 6001].entries())
    await put(
      n === 0 ? 'run-1' : 'run-1/s1',
      at,
      { payload: { sensor: 'run-step', run: 'run-1', n, results: [] } },
      {
        state: 'acted',
      },
    );
  const command = { sensor: 'command', name: 'jobs', rest: 'pause {"name":"tea"}' } as const;
  await put('con-pause', 7000, { payload: command }, { state: 'refused' });
});
afterAll(() => world.stop());

const find = async (query: string): Promise<{ ids: string[]; signals: ListedSignal[]; counts: object }> => {
  const { body } = await world.ask('GET', `/api/signals?roots=true&limit=40&${query}`);
  const { signals, counts } = Object(body);
  return { ids: signals.map(({ id }: ListedSignal) => id), signals, counts };
};

describe('GET /api/signals with filters', () => {
  it.each([
    ['words=blue', ['con-bike']],
    ['words=PULL_REQUEST', ['wh-2']],
    ['words=step+1+of+2', ['run-1/s1']],
    ['words=nothing+has+these', []],
    ['channel=telegram', ['wh-2', 'wh-1']],
    ['source=github&outcome=recorded', ['wh-1']],
    ['job=watch', ['wh-2']],
    ['tool=remember', ['con-dear', 'con-bike']],
    ['outcome=failed', ['con-dear']],
    ['from=2000&to=3000', ['wh-1', 'con-dear']],
    ['cost=20000', ['con-dear']],
    ['cost=20001', []],
    ['outcome=refused', ['con-pause']],
  ])('finds by %s', async (query, ids) => {
    expect((await find(query)).ids).toStrictEqual(ids);
  });

  it('counts by outcome all that fit the other filters', async () => {
    expect((await find('source=github&outcome=recorded')).counts).toStrictEqual({ recorded: 1, 'handed on': 1 });
  });

  it('calls each as a person would', async () => {
    const { signals } = await find('from=5000');
    expect(signals.map(({ text }) => text)).toStrictEqual([
      '/jobs pause tea',
      'Restart shop: step 1 of 2',
      'Restart shop: begins, 2 steps',
      'you approved: Call the webhook deploy: service “shop”, version “1.2”',
    ]);
  });

  it('reads a bounded part of the feed with a call, and goes on from there', async () => {
    const { table } = world.dynamo;
    for (let n = 0; n < 520; n += 1)
      await putSignal(table, { signal: buildSignal(`con-many${n}`, { receivedAt: 10_000 + n }), state: 'acted' });
    const { counting, during } = countingTable(table);
    const answer = buildConsole({ ...world.deps, table: counting });
    const ask = async (cursor = '') =>
      JSON.parse(
        (
          await answer({
            ...{ rawPath: '/api/signals', rawQueryString: `roots=true&words=blue&cursor=${cursor}` },
            ...{ headers: { authorization: `Bearer ${APPROVER_TOKEN}` }, requestContext: { http: { method: 'GET' } } },
          })
        ).body,
      );
    const found: { signals: unknown[]; cursor: string }[] = [];
    const { reads } = await during(async () => void found.push(await ask()));
    expect(reads).toBeLessThanOrEqual(SEARCH_READS_MAX);
    expect(found[0]?.signals).toStrictEqual([]);
    const next = await ask(found[0]?.cursor);
    expect(next.signals).toMatchObject([{ id: 'con-bike' }]);
    expect(next.cursor).toBe(undefined);
  });

  it('refuses words that are too long, and a day that is no number', async () => {
    for (const query of [`words=${'a'.repeat(201)}`, 'from=monday'])
      expect(await world.ask('GET', `/api/signals?${query}`)).toMatchObject({ status: 400 });
  });
});
