/**
 * The console's HTTP API over a real store: who may, what is refused and how, what is stored and
 * published.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DATA_VERSION } from '../../../../lib/core/base/data-version.ts';
import { UnavailableError } from '../../../../lib/core/base/errors.ts';
import { API_VERSION, VERSION, VERSION_HEADER } from '../../../../lib/core/base/version.ts';
import { HEALTH_SHARED_MS } from '../../../../lib/core/edge/console/health.ts';
import type { Health } from '../../../../lib/core/edge/console/views.ts';
import { GATE_SET } from '../../../../lib/core/gates/engine/gate-set.ts';
import { setKillSwitch } from '../../../../lib/core/ledger/kill-switch.ts';
import { pairingCodeKey } from '../../../../lib/core/ledger/pairing-code.ts';
import { resumeSession, stopSession } from '../../../../lib/core/ledger/session-controls.ts';
import { oddityMark } from '../../../../lib/core/llm/oddities.ts';
import { spendKey } from '../../../../lib/core/money/day-spend.ts';
import {
  approvalKey,
  grantKey,
  indexPartitions,
  pairingKey,
  settingKey,
  signalKeys,
} from '../../../../lib/core/store/keys.ts';
import { makeJob, sampleJob } from '../../../features/jobs/sample-job.ts';
import { DEFAULT_CAPS } from '../../../support/default-caps.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, startConsole, type TestConsole } from './console-server.ts';
import {
  buildApproval,
  buildAttempt,
  buildDecision,
  buildEffect,
  buildSignal,
  judge,
  putApproval,
  putSignal,
  reply,
  SPACE,
  toolCall,
} from './stored-fixtures.ts';

let world: TestConsole;
const NOW = 1_700_000_100_000;

beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.published.length = 0;
  world.reported.length = 0;
});

const approver = { token: APPROVER_TOKEN };
const script = { token: SCRIPT_TOKEN };
/** An item as stored, a record's signal read. */
const loadOne = async (key: { pk: string; sk: string }) => {
  const [item] = await world.dynamo.table.load([key]);
  return typeof item?.signal === 'string' ? { ...item, signal: JSON.parse(item.signal) } : item;
};

describe('answerConsole: the door', () => {
  const guarded: [string, string][] = [
    ['POST', '/api/messages'],
    ['GET', '/api/signals'],
    ['GET', '/api/signals/con-a'],
    ['GET', '/api/approvals'],
    ['POST', '/api/approvals/00000000000000000000000000000000'],
    ['POST', '/api/stop'],
    ['POST', '/api/resume'],
    ['POST', '/api/pairing-codes'],
    ['POST', '/api/signals/con-a/redrive'],
    ['POST', '/api/signals/con-a/effects/0'],
    ['GET', '/api/nothing'],
  ];
  it.each(guarded)(
    'answers 401 to %s %s without a token, with a wrong one and with an empty one',
    async (method, path) => {
      for (const token of [null, 'wrong', '', 'script-token-for-test', 'script-token-for-tests2']) {
        const answer = await world.ask(method, path, { token, body: { text: 'hi' } });
        expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
      }
      expect(world.published).toStrictEqual([]);
    },
  );

  it.each([
    ['/api/approvals/00000000000000000000000000000000'],
    ['/api/resume'],
    ['/api/pairing-codes'],
    ['/api/signals/con-a/redrive'],
    ['/api/signals/con-a/effects/0'],
  ])('answers 403 to POST %s with the token of a script (I5)', async (path) => {
    const answer = await world.ask('POST', path, { ...script, body: { decision: 'approve', resolution: 'done' } });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect(world.published).toStrictEqual([]);
  });

  it('answers 404 to unknown paths and 405 to the wrong method', async () => {
    expect((await world.ask('GET', '/api/nothing')).status).toBe(404);
    expect((await world.ask('GET', '/favicon.ico', { token: null })).status).toBe(404);
    expect(await world.ask('DELETE', '/api/messages')).toMatchObject({
      status: 405,
      body: { error: { message: 'this path takes POST' } },
    });
    expect((await world.ask('POST', '/api/signals/con-a/stream')).body).toMatchObject({
      error: { message: 'this path takes GET' },
    });
    expect((await world.ask('GET', '/api/%E0%A4%A')).status).toBe(400);
  });

  it('opens nothing when a token is not set, and no more than the lesser one when two are equal', async () => {
    const unset = await startConsole({
      tokens: async () => ({ approverToken: '', scripts: [{ name: 'a', token: '', scopes: new Set(['read']) }] }),
    });
    expect((await unset.ask('GET', '/api/signals', { token: '' })).status).toBe(401);
    expect((await unset.ask('GET', '/api/signals', { token: 'undefined' })).status).toBe(401);
    await unset.stop();
    const equal = await startConsole({
      tokens: async () => ({
        approverToken: 'same',
        scripts: [{ name: 'a', token: 'same', scopes: new Set(['read']) }],
      }),
    });
    expect((await equal.ask('POST', '/api/resume', { token: 'same' })).status).toBe(403);
    await equal.stop();
  });
});

describe('POST /api/messages', () => {
  it('stores the signal, publishes it and answers 202 with its id', async () => {
    const answer = await world.ask('POST', '/api/messages', { body: { text: 'hello there', session: 'desk' } });
    expect(answer.status).toBe(202);
    const { id } = answer.body as { id: string };
    expect(id).toMatch(/^con-[0-9a-f]{32}$/);
    const stored = await loadOne(signalKeys.record(SPACE, id));
    expect(stored?.signal).toStrictEqual({
      schemaVersion: 1,
      id,
      type: 'EVENT',
      source: 'console',
      space: SPACE,
      session: 'console:desk',
      root: id,
      depth: 0,
      receivedAt: NOW,
      sender: { id: 'console-approver', isApprover: true },
      reply: { target: 'console', to: 'desk' },
      payload: { sensor: 'chat-message', text: [{ text: 'hello there', origin: 'owner' }] },
    });
    expect(world.published).toStrictEqual([
      {
        message: { stage: 'perceive', v: 1, space: SPACE, session: 'console:desk', signalId: id },
        step: 'perceive:0',
      },
    ]);
  });

  it('gives one signal for one idempotency key of a session, and another for another session', async () => {
    const post = (session: string) =>
      world.ask('POST', '/api/messages', { body: { text: 'once', session, idempotencyKey: 'k-1' } });
    const [first, again, other] = [await post('a'), await post('a'), await post('b')];
    expect(again.body).toStrictEqual(first.body);
    expect(other.body).not.toStrictEqual(first.body);
  });

  it('names the approver as sender only with the approver token', async () => {
    const answer = await world.ask('POST', '/api/messages', {
      ...approver,
      body: { text: 'hi', idempotencyKey: 'boss' },
    });
    const stored = await loadOne(signalKeys.record(SPACE, (answer.body as { id: string }).id));
    expect(stored?.signal).toMatchObject({ sender: { id: 'console-approver', isApprover: true } });
  });

  const commands: [string, object][] = [
    ['/why con-1', { sensor: 'command', name: 'why', rest: 'con-1' }],
    ['/HELP', { sensor: 'command', name: 'help', rest: '' }],
    ['/stop', { sensor: 'interrupt' }],
    ['stop', { sensor: 'interrupt' }],
    [' StOp ', { sensor: 'interrupt' }],
    ['/resume', { sensor: 'resume' }],
    ['/resume telegram:7', { sensor: 'resume', session: 'telegram:7' }],
    ['/resume everything, please', { sensor: 'command', name: 'resume', rest: 'everything, please' }],
    ['/etc/hosts is what?', { sensor: 'chat-message', text: [{ text: '/etc/hosts is what?', origin: 'owner' }] }],
    ['please stop', { sensor: 'chat-message', text: [{ text: 'please stop', origin: 'owner' }] }],
  ];
  it.each(commands)('reads %j as what it is', async (text, payload) => {
    const answer = await world.ask('POST', '/api/messages', { body: { text } });
    const stored = await loadOne(signalKeys.record(SPACE, (answer.body as { id: string }).id));
    expect(stored?.signal).toMatchObject({ payload });
  });

  const refused: [string, unknown, number][] = [
    ['no text', {}, 400],
    ['an empty text', { text: '  \n' }, 400],
    ['a text that is no text', { text: 7 }, 400],
    ['a text that is too long', { text: 'x'.repeat(65_537) }, 400],
    ['a lone surrogate', { text: '\ud800' }, 400],
    ['an unknown member', { text: 'hi', approved: true }, 400],
    ['a session with a slash', { text: 'hi', session: 'a/b' }, 400],
    ['an empty idempotency key', { text: 'hi', idempotencyKey: '' }, 400],
    ['an array', [], 400],
    ['a body that is too large', { text: 'x'.repeat(2_000_000) }, 413],
  ];
  it.each(refused)('refuses %s', async (_what, body, status) => {
    const answer = await world.ask('POST', '/api/messages', { body });
    expect(answer.status).toBe(status);
    expect(answer.body).toStrictEqual({ error: { code: expect.any(String), message: expect.any(String) } });
    expect(JSON.stringify(answer.body).length).toBeLessThan(400);
    expect(world.published).toStrictEqual([]);
  });

  it('names what is wrong', async () => {
    const answer = await world.ask('POST', '/api/messages', { body: { text: 'hi', approved: true } });
    expect(answer.body).toStrictEqual({ error: { code: 'malformed', message: 'unknown member approved' } });
    const twice = await world.ask('POST', '/api/messages', { body: { text: 7, session: 'a/b' } });
    expect(twice.body).toStrictEqual({
      error: { code: 'malformed', message: 'text must be a string; session must be 1-60 of A-Z a-z 0-9 _ . : -' },
    });
    const missing = await world.ask('POST', '/api/messages', { body: {} });
    expect(missing.body).toMatchObject({ error: { message: 'text must be a string' } });
    const german = await world.ask('POST', '/api/messages', { body: { text: 7, session: '' }, language: 'de-AT,en' });
    expect(german.body).toMatchObject({ error: { message: expect.stringMatching(/^text muss ein Text sein; /) } });
    const notJson = await world.ask('POST', '/api/messages', { raw: '{"text": ' });
    expect(notJson).toMatchObject({ status: 400, body: { error: { message: 'body is not valid JSON' } } });
  });

  it('answers 503 when the store or the queue does not answer', async () => {
    const down = () => Promise.reject(new UnavailableError('the table'));
    const noStore = await startConsole({ table: { ...world.dynamo.table, put: down } });
    expect(await noStore.ask('POST', '/api/messages', { body: { text: 'hi' } })).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable' } },
    });
    await noStore.stop();
    const noQueue = await startConsole({ publish: () => Promise.reject(new UnavailableError('the queue')) });
    const post = () => noQueue.ask('POST', '/api/messages', { body: { text: 'hi', idempotencyKey: 'lost' } });
    expect((await post()).status).toBe(503);
    await noQueue.stop();
  });

  it('publishes a repeat of one that was stored but never published', async () => {
    const steps: string[] = [];
    let isDown = true;
    const flaky = await startConsole({
      publish: async (_message, step) => {
        if (isDown) throw new UnavailableError('the queue');
        steps.push(step);
      },
    });
    const post = () => flaky.ask('POST', '/api/messages', { body: { text: 'hi', idempotencyKey: 'lost' } });
    expect((await post()).status).toBe(503);
    isDown = false;
    expect((await post()).status).toBe(202);
    expect(steps).toStrictEqual(['perceive:0']);
    await flaky.stop();
  });
});

describe('POST /api/stop and /api/resume', () => {
  it('has the stop in force before it answers, even when the queue is down', async () => {
    const stuck = await startConsole({ publish: () => Promise.reject(new UnavailableError('the queue')) });
    expect((await stuck.ask('POST', '/api/stop')).status).toBe(503);
    const [stored] = await stuck.dynamo.table.load([settingKey(SPACE, 'kill-switch')]);
    expect(stored).toMatchObject({ schemaVersion: 1, isStopped: true, by: 'console-approver', at: NOW });
    await stuck.stop();
  });

  it('sends a resume as a signal and leaves the switch to the pipeline', async () => {
    await world.ask('POST', '/api/stop');
    const answer = await world.ask('POST', '/api/resume', approver);
    expect(answer.status).toBe(202);
    expect(await loadOne(settingKey(SPACE, 'kill-switch'))).toMatchObject({ isStopped: true });
    const stored = await loadOne(signalKeys.record(SPACE, (answer.body as { id: string }).id));
    expect(stored?.signal).toMatchObject({ payload: { sensor: 'resume' }, sender: { isApprover: true } });
  });
});

describe('stopped conversations', () => {
  const session = 'telegram:77';

  it('are listed with why and since when, and resumed by name, by an approver', async () => {
    const stop = { because: 'approvals', by: 'tg-1-1' } as const;
    await stopSession(world.dynamo.table, { space: SPACE, session }, undefined, stop, NOW);
    const shown = { session, because: 'approvals', stoppedAt: NOW, signalId: 'tg-1-1' };
    expect((await world.ask('GET', '/api/stopped')).body).toStrictEqual({ sessions: [shown], role: 'approver' });
    expect((await world.ask('POST', '/api/resume', { ...script, body: { session } })).status).toBe(403);
    const answer = await world.ask('POST', '/api/resume', { ...approver, body: { session } });
    const stored = await loadOne(signalKeys.record(SPACE, (answer.body as { id: string }).id));
    expect(stored?.signal).toMatchObject({ payload: { sensor: 'resume', session }, session: 'console:main' });
    for (const body of [{ session: 'no name' }, { all: true }])
      expect((await world.ask('POST', '/api/resume', { ...approver, body })).status).toBe(400);
  });

  it('leave the list when they go on', async () => {
    await resumeSession(world.dynamo.table, { space: SPACE, session }, NOW + 1, NOW + 1);
    expect((await world.ask('GET', '/api/stopped')).body).toStrictEqual({ sessions: [], role: 'approver' });
  });
});

describe('GET /api/signals/<id>', () => {
  const blocked = judge(toolCall('call-webhook', { name: 'x' }), 'block', [
    { gate: 'kill-switch', verdict: 'pass', reason: '' },
    { gate: 'network', verdict: 'block', reason: 'the target is not configured' },
  ]);
  const call = judge(toolCall('remember', { text: 'tea' }));
  const said = judge(reply('Noted.'));

  it('gives the agreed shape, with rejected attempts, and the replies of the whole turn', async () => {
    const last = buildAttempt(2, [call], { inputTokens: 10, outputTokens: 5 });
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-shape'),
      state: 'acted',
      children: ['con-shape/1'],
      attempts: [buildAttempt(1, [blocked])],
      decision: buildDecision('con-shape', [call], { attempt: last, attemptCount: 2 }),
      effects: [buildEffect(0, call, { output: 'stored', approvalId: 'f'.repeat(32), claim: 'c' })],
    });
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-shape/1', { payload: { sensor: 'tool-output', results: [] } }),
      state: 'acted',
      decision: buildDecision('con-shape/1', [said]),
      effects: [buildEffect(0, said, { settledAt: 1_700_000_000_900 })],
    });
    const answer = await world.ask('GET', '/api/signals/con-shape');
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      id: 'con-shape',
      state: 'acted',
      source: 'console',
      session: 'console:main',
      sensor: 'chat-message',
      root: 'con-shape',
      depth: 0,
      receivedAt: 1_700_000_000_000,
      sender: 'console',
      text: [{ text: 'hello', origin: 'owner' }],
      replies: ['Noted.'],
      decision: {
        gateSet: 'g'.repeat(64),
        policyVersion: 'p'.repeat(64),
        at: 1_700_000_000_100,
        outcome: 'act',
        reason: '',
        attempts: [
          {
            n: 1,
            at: 1_700_000_000_050,
            provider: 'demo',
            model: 'scripted',
            proposal: { calls: [], text: 'nothing' },
            trace: [
              { gate: 'kill-switch', verdict: 'pass', reason: '', n: 0 },
              { gate: 'network', verdict: 'block', reason: 'the target is not configured', n: 0 },
            ],
          },
          {
            n: 2,
            at: 1_700_000_000_050,
            provider: 'demo',
            model: 'scripted',
            inputTokens: 10,
            outputTokens: 5,
            proposal: { calls: [], text: 'nothing' },
            trace: [{ gate: 'kill-switch', verdict: 'pass', reason: '', n: 0 }],
          },
        ],
        actions: [
          {
            n: 0,
            sentence: 'Keep the note “tea”',
            action: call.action,
            actionHash: call.hash,
            state: 'done',
            trace: [{ gate: 'kill-switch', verdict: 'pass', reason: '' }],
          },
        ],
      },
      effects: [
        {
          n: 0,
          actuator: 'tool',
          state: 'done',
          actionHash: call.hash,
          trace: [{ gate: 'kill-switch', verdict: 'pass', reason: '' }],
          tries: 1,
          output: 'stored',
          settledAt: 1_700_000_000_200,
        },
      ],
      children: ['con-shape/1'],
      rules: 'Policy rules: 0. Rules learned: 0.',
      turn: 'ended',
      isTurnClosed: true,
      outcome: 'done',
    });
    const child = await world.ask('GET', '/api/signals/con-shape/1');
    expect(child.body).toMatchObject({ id: 'con-shape/1', parent: 'con-shape', depth: 1, replies: ['Noted.'] });
    expect((await world.ask('GET', '/api/signals/con-shape%2F1')).body).toStrictEqual(child.body);
  });

  it('shows a signal nobody has decided yet, with the attempts so far', async () => {
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-early'),
      state: 'perceived',
      attempts: [buildAttempt(1, [], { proposal: undefined as never, problem: 'the answer was empty' })],
    });
    const answer = await world.ask('GET', '/api/signals/con-early');
    expect(answer.body).toMatchObject({
      decision: null,
      attempts: [{ n: 1, proposal: null, problem: 'the answer was empty', trace: [] }],
      effects: [],
      turn: 'running',
      isTurnClosed: false,
    });
  });

  it.each([
    ['waiting', 'asks a person', { state: 'suspended' }],
    ['running', 'is with a machine', { state: 'suspended', handedTo: { runner: 'home', until: NOW } }],
    ['running', 'a machine has just answered', { state: 'done' }],
  ] as const)('calls a suspended turn %s if its action %s', async (turn, _, over) => {
    const asked = judge(toolCall('run-command', { command: 'ls' }));
    const id = `con-${turn}-${'handedTo' in over ? 1 : over.state}`;
    await putSignal(world.dynamo.table, {
      signal: buildSignal(id),
      state: 'suspended',
      decision: buildDecision(id, [asked]),
      effects: [buildEffect(0, asked, over)],
    });
    expect((await world.ask('GET', `/api/signals/${id}`)).body).toMatchObject({ turn, isTurnClosed: false });
  });

  it('shows what it can of a signal beside an item it cannot read', async () => {
    await putSignal(world.dynamo.table, { signal: buildSignal('con-newer'), state: 'acted' });
    await world.dynamo.table.put(signalKeys.attempt(SPACE, 'con-newer', 1), { schemaVersion: 99, secret: 'xyzzy' });
    const answer = await world.ask('GET', '/api/signals/con-newer');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        state: 'acted',
        unreadable: ['stored item attempt#1 of con-newer: schema version 99 is not known to this release'],
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain('xyzzy');
  });

  it('never shows an approval id, nor the text of its card (I5)', async () => {
    const capability = '0123456789abcdef0123456789abcdef';
    const card = judge(
      reply(`approve with ${capability}`, { author: 'code', template: 'approval-card', card: capability }),
    );
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-card'),
      state: 'acted',
      decision: buildDecision('con-card', [card]),
      effects: [buildEffect(0, card, { output: `sent ${capability}`, approvalId: capability })],
    });
    const answer = await world.ask('GET', '/api/signals/con-card', approver);
    expect(JSON.stringify(answer.body)).not.toContain(capability);
    expect(answer.body).toMatchObject({
      replies: ['[approval card]'],
      decision: { actions: [{ action: { text: '[approval card]', template: 'approval-card' } }] },
    });
  });

  it('shows a claim as under way within its lease and as unknown past it', async () => {
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-claims'),
      state: 'reasoned',
      decision: buildDecision('con-claims', [call, said]),
      effects: [
        buildEffect(0, call, { state: 'claimed', leaseUntil: NOW - 1 }),
        buildEffect(1, said, { state: 'claimed', leaseUntil: NOW + 1 }),
      ],
    });
    const answer = await world.ask('GET', '/api/signals/con-claims');
    expect(answer.body).toMatchObject({
      effects: [{ state: 'unknown' }, { state: 'claimed' }],
      decision: { actions: [{ state: 'unknown' }, { state: 'claimed' }] },
      replies: [],
    });
  });

  it('answers 404 for ids that are unknown or no ids', async () => {
    for (const path of ['con-none', 'con-a/b/c', '../x', 'CON', 'con-x/redrive'])
      expect((await world.ask('GET', `/api/signals/${path}`)).status).toBe(404);
  });

  it('refuses a stored item of another schema version instead of guessing', async () => {
    await world.dynamo.table.put(signalKeys.record(SPACE, 'con-future'), { schemaVersion: 9 });
    const answer = await world.ask('GET', '/api/signals/con-future');
    expect(answer).toMatchObject({ status: 500, body: { error: { message: expect.stringContaining('version 9') } } });
  });
});

describe('the grants API', () => {
  const wish = { from: 'ab'.repeat(16), loosen: [{ path: '/body', kind: 'any' }] };

  it('hands a wish on as a signal of the approver, and lists what is in force', async () => {
    const answer = await world.ask('POST', '/api/grants/add', { ...approver, body: wish });
    expect(answer.status).toBe(202);
    const stored = await loadOne(signalKeys.record(SPACE, (answer.body as { id: string }).id));
    expect(stored?.signal).toMatchObject({
      source: 'console',
      sender: { id: 'console-approver', isApprover: true },
      payload: { sensor: 'command', name: 'grants', rest: `add ${JSON.stringify(wish)}` },
    });
    const now = { usesMax: 10, uses: 1, state: 'live', createdAt: NOW, expiresAtMs: NOW + 1, loosened: [], gates: [] };
    const grant = { schemaVersion: 1, id: 'a'.repeat(12), space: SPACE, policyVersion: '', target: 'webhook', ...now };
    const index = { unfinishedSpace: indexPartitions.grants(SPACE), unfinishedAt: NOW + 1 };
    const by = { createdBy: 'telegram:7', fromSignal: 'tg-1-1', fromN: 0 };
    await world.dynamo.table.put(grantKey(SPACE, 'a'.repeat(12)), { ...grant, ...index, ...by, tool: 'call-webhook' });
    expect((await world.ask('GET', '/api/grants')).body).toMatchObject({
      grants: [{ id: 'a'.repeat(12), tool: 'call-webhook', uses: 1, usesMax: 10, createdBy: 'telegram:7' }],
    });
  });

  it.each([
    ['POST', '/api/grants/add', 403, { token: SCRIPT_TOKEN }],
    ['POST', '/api/revoke', 403, { token: SCRIPT_TOKEN }],
  ])('%s %s is %i without the approver token', async (method, path, status, options) => {
    expect((await world.ask(method as 'POST', path, { ...options, body: wish })).status).toBe(status);
  });

  it('refuses bounds that are none', async () => {
    for (const change of [
      { count: 0 },
      { hours: 99_999 },
      { from: 'x' },
      { approved: true },
      { loosen: [{ path: 'a' }] },
    ])
      expect((await world.ask('POST', '/api/grants/add', { ...approver, body: { ...wish, ...change } })).status).toBe(
        400,
      );
  });
});

describe('GET /api/approvals', () => {
  const asked = judge({ ...toolCall('call-webhook', { body: { a: 'b' } }), target: 'webhook', to: 'shop' }, 'ask');
  const id = 'ab'.repeat(16);

  it('shows ids to the approver token only (I5), and only what can still be decided', async () => {
    await putApproval(world.dynamo.table, buildApproval(id, asked));
    await putApproval(world.dynamo.table, buildApproval('cd'.repeat(16), asked, { expiresAtMs: NOW - 1 }));
    const underAnotherPolicy = buildApproval('dc'.repeat(16), asked, { policyHash: 'f'.repeat(64) });
    await putApproval(world.dynamo.table, underAnotherPolicy);
    const shown = {
      signalId: 'con-asks',
      n: 0,
      session: 'console:main',
      action: asked.action,
      sentence: 'Call the webhook shop: a “b”',
      unusual: [],
      rest: [
        'With: {"body":{"a":"b"}}',
        'To: shop',
        'The model says why: the person asked for exactly this',
        'Called: call-webhook (webhook)',
        'Asked because: calls that leave the space need a person (permissions)',
      ],
      similarProblem: '',
      taskProblem: 'none of its arguments could differ',
      aboutTask: '',
      reasons: ['calls that leave the space need a person'],
      asks: [{ gate: 'permissions', reason: 'calls that leave the space need a person' }],
      stage: 'PLAN',
      createdAt: 1_700_000_000_000,
      expiresAt: 1_700_003_600_000,
      destroys: false,
    };
    expect((await world.ask('GET', '/api/approvals', script)).body).toStrictEqual({
      approvals: [shown],
      role: 'script',
      lines: [
        'These wait for a yes:',
        'call webhook shop, asked 1 minute ago in console:main',
        'The card of each has its words.',
      ],
    });
    expect((await world.ask('GET', '/api/approvals', approver)).body).toStrictEqual({
      approvals: [{ id, ...shown }],
      role: 'approver',
      lines: [
        'These wait for a yes:',
        expect.stringMatching(/^ababab: .* – \/approve ababab, \/deny ababab$/),
        'The card of each has its words.',
      ],
    });
  });

  it('accepts a decision once as a signal, and publishes nothing for what cannot be decided', async () => {
    await putApproval(world.dynamo.table, buildApproval('ef'.repeat(16), asked, { session: 'tg:7' }));
    const answer = await world.ask('POST', `/api/approvals/${'ef'.repeat(16)}`, {
      ...approver,
      body: { decision: 'deny' },
    });
    const decisionId = expect.stringMatching(/^con-approval-[0-9a-f]{24}-deny$/);
    expect(answer).toStrictEqual({ ...answer, status: 202, body: { id: decisionId } });
    const stored = await loadOne(signalKeys.record(SPACE, (answer.body as { id: string }).id));
    expect(stored?.signal).toMatchObject({
      session: 'tg:7',
      reply: { target: 'console', to: 'main' },
      sender: { id: 'console-approver', isApprover: true },
      payload: { sensor: 'approval-decision', approvalId: 'ef'.repeat(16), decision: 'deny' },
    });
    expect(world.published).toHaveLength(1);
  });

  it('shows flight plans by state, ids to the approver token only', async () => {
    const space = { feedSpace: indexPartitions.approvalFeed(SPACE) };
    const plans = [
      ['a2', { state: 'denied', decider: 'telegram:7', decidedAt: 5 }, 'DENIED'],
      ['a3', { state: 'pending', expiresAtMs: NOW - 1 }, 'EXPIRED'],
      ['a4', { state: 'spent', decider: 'telegram:7', decidedAt: 5, spentAt: 6 }, 'APPROVED'],
      ['a5', { state: 'pending' }, 'PLAN'],
    ] as const;
    for (const [index, [byte, over]] of plans.entries()) {
      const item = { ...buildApproval(byte.repeat(16), asked, over), ...space, feedAt: index };
      await world.dynamo.table.put(approvalKey(SPACE, byte.repeat(16)), item);
    }
    const list = async (state: string, options: Partial<typeof approver> = approver) => {
      const { body } = await world.ask('GET', `/api/approvals?state=${state}`, options);
      return (body as { approvals: { id?: string; stage: string }[] }).approvals.map(({ id, stage }) => [id, stage]);
    };
    expect(await list('all')).toStrictEqual(plans.map(([byte, , stage]) => [byte.repeat(16), stage]).reverse());
    for (const [byte, , stage] of plans)
      expect(await list(stage.toLowerCase())).toStrictEqual([[byte.repeat(16), stage]]);
    expect(await list('approved', script)).toStrictEqual([[undefined, 'APPROVED']]);
    expect(await world.ask('GET', '/api/approvals?state=odd', approver)).toMatchObject({ status: 400 });
  });

  const closed: [string, object, RegExp][] = [
    ['approved', { state: 'approved' }, /given already/],
    ['spent', { state: 'spent' }, /performed/],
    ['denied', { state: 'denied' }, /denied already/],
    ['expired', { state: 'expired' }, /expired/],
    ['late', { expiresAtMs: NOW }, /expired/],
  ];
  it.each(closed)('answers 409 in plain words for one that is %s', async (_name, over, words) => {
    const closedId = '12'.repeat(16);
    await putApproval(world.dynamo.table, buildApproval(closedId, asked, over));
    const answer = await world.ask('POST', `/api/approvals/${closedId}`, {
      ...approver,
      body: { decision: 'approve' },
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'not-pending', message: expect.stringMatching(words) } },
    });
    expect(world.published).toStrictEqual([]);
    expect(await loadOne(approvalKey(SPACE, closedId))).toMatchObject(over);
  });

  it('answers 409 to a yes while stopped, changes nothing, and takes a no', async () => {
    const heldId = '34'.repeat(16);
    const post = (decision: string) =>
      world.ask('POST', `/api/approvals/${heldId}`, { ...approver, body: { decision } });
    const words = async (decision: string) => {
      const { status, body } = await post(decision);
      return [status, (body as { error: { code: string; message: string } }).error.message];
    };
    await putApproval(world.dynamo.table, buildApproval(heldId, asked, { session: 'telegram:78' }));
    await setKillSwitch(world.dynamo.table, SPACE, { isStopped: true, by: 'console-approver', at: NOW });
    for (const decision of ['approve', 'allow-similar'])
      expect(await words(decision)).toStrictEqual([
        409,
        'The agent is stopped; nothing is performed. /resume first, then approve.',
      ]);
    await setKillSwitch(world.dynamo.table, SPACE, { isStopped: false, by: 'console', at: NOW + 1 });
    const ref = { space: SPACE, session: 'telegram:78' };
    await stopSession(world.dynamo.table, ref, undefined, { because: 'blocks', by: 'tg-1-2' }, NOW);
    expect(await words('approve')).toStrictEqual([
      409,
      'The conversation telegram:78 is stopped; nothing is performed there. /resume telegram:78 first, then approve.',
    ]);
    expect(world.published).toStrictEqual([]);
    expect(await loadOne(approvalKey(SPACE, heldId))).toMatchObject({ state: 'pending' });
    expect((await post('deny')).status).toBe(202);
    await resumeSession(world.dynamo.table, ref, NOW + 1, NOW + 1);
    expect((await post('allow-similar')).status).toBe(202);
  });

  it('answers 404 for an unknown approval and 400 for an unknown decision', async () => {
    const post = (path: string, body: unknown) => world.ask('POST', `/api/approvals/${path}`, { ...approver, body });
    expect((await post('0'.repeat(32), { decision: 'approve' })).status).toBe(404);
    expect((await post('short', { decision: 'approve' })).status).toBe(404);
    expect((await post(id, { decision: 'yes' })).status).toBe(400);
    expect((await post(id, { decision: 'approve', approved: true })).status).toBe(400);
  });
});

describe('POST /api/signals/<id>/redrive', () => {
  it('puts a dead-lettered signal back where it died and publishes it under its own id', async () => {
    await putSignal(world.dynamo.table, {
      signal: buildSignal('con-dead/1'),
      state: 'dead-lettered',
      record: { diedIn: 'reasoned', stateReason: 'poison', round: 2, sweeps: 5 },
    });
    const answer = await world.ask('POST', '/api/signals/con-dead/1/redrive', approver);
    expect(answer).toMatchObject({ status: 202, body: { id: 'con-dead/1' } });
    const stored = await loadOne(signalKeys.record(SPACE, 'con-dead/1'));
    expect(stored).toMatchObject({ state: 'reasoned', round: 3, sweeps: 0, unfinishedAt: NOW + 60_000 });
    expect(stored).not.toHaveProperty('stateReason');
    expect(stored).not.toHaveProperty('diedIn');
    expect(world.published.map((publish) => publish.step)).toStrictEqual(['perceive:3']);
    expect(await world.ask('POST', '/api/signals/con-dead/1/redrive', approver)).toMatchObject({ status: 409 });
  });

  it.each([
    ['con-fine', 'acted', undefined, 'acted'],
    ['con-given', 'dropped', 'handed to the job deploys', 'handed on'],
  ] as const)('leaves every other signal alone, and says its state: %s', async (id, state, stateReason, shown) => {
    const record = stateReason === undefined ? {} : { stateReason };
    await putSignal(world.dynamo.table, { signal: buildSignal(id), state, record });
    expect(await world.ask('POST', `/api/signals/${id}/redrive`, approver)).toMatchObject({
      status: 409,
      body: { error: { code: 'not-dead-lettered', message: expect.stringMatching(`this one is ${shown}$`) } },
    });
    expect((await world.ask('POST', '/api/signals/con-gone/redrive', approver)).status).toBe(404);
    expect(world.published).toStrictEqual([]);
  });
});

describe('POST /api/signals/<id>/effects/<n>', () => {
  const call = judge(reply('sent?'));
  const putUnknown = (id: string, over: object = { state: 'unknown' }) =>
    putSignal(world.dynamo.table, {
      signal: buildSignal(id),
      state: 'acted',
      decision: buildDecision(id, [call]),
      effects: [buildEffect(0, call, over)],
    });

  it('settles an unknown effect as done, once', async () => {
    await putUnknown('con-u1');
    const post = () =>
      world.ask('POST', '/api/signals/con-u1/effects/0', { ...approver, body: { resolution: 'done' } });
    expect((await post()).status).toBe(202);
    expect(await loadOne(signalKeys.effect(SPACE, 'con-u1', 0))).toMatchObject({
      state: 'done',
      resolution: 'done',
      reason: 'resolved by a person',
    });
    expect((await post()).status).toBe(409);
    expect(world.published).toStrictEqual([]);
  });

  it.each([
    ['unknown', { state: 'claimed', leaseUntil: NOW - 1 }],
    ['failed', { state: 'failed', reason: 'Telegram could not be reached for a day' }],
  ])('marks an effect that is %s as claimable again and sends the signal back to Act', async (state, over) => {
    const id = `con-again-${state}`;
    await putUnknown(id, over);
    const answer = await world.ask('POST', `/api/signals/${id}/effects/0`, {
      ...approver,
      body: { resolution: 'retry' },
    });
    expect(answer.status).toBe(202);
    expect(await loadOne(signalKeys.effect(SPACE, id, 0))).toMatchObject({
      state: 'unknown',
      resolution: 'retry',
    });
    expect(await loadOne(signalKeys.record(SPACE, id))).toMatchObject({
      state: 'reasoned',
      round: 1,
      unfinishedSpace: 'unfinished#default',
    });
    expect(world.published.map((publish) => publish.step)).toStrictEqual(['perceive:1']);
  });

  it('tries a step of a run that has gone no more', async () => {
    await putUnknown('run-gone/s2');
    const body = { resolution: 'retry' };
    const answer = await world.ask('POST', '/api/signals/run-gone%2Fs2/effects/0', { ...approver, body });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'run-ended' } } });
    expect(await loadOne(signalKeys.effect(SPACE, 'run-gone/s2', 0))).not.toHaveProperty('resolution');
    expect(world.published).toStrictEqual([]);
  });

  it.each([
    ['done', { state: 'done' }],
    ['refused', { state: 'refused' }],
    ['waiting', { state: 'claimed', leaseUntil: NOW - 1, isReleased: true, waitingSince: NOW - 9 }],
    ['claimed', { state: 'claimed', leaseUntil: NOW + 5 }],
  ])('leaves an effect that is %s alone (I7)', async (state, over) => {
    await putUnknown(`con-u-${state}`, over);
    for (const resolution of ['done', 'retry']) {
      const answer = await world.ask('POST', `/api/signals/con-u-${state}/effects/0`, {
        ...approver,
        body: { resolution },
      });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'not-unknown' } } });
    }
    expect(await loadOne(signalKeys.effect(SPACE, `con-u-${state}`, 0))).toMatchObject(over);
    expect(world.published).toStrictEqual([]);
  });

  it('answers 404 for unknown signals and effects, 400 for an unknown resolution', async () => {
    const post = (path: string, resolution: string) =>
      world.ask('POST', `/api/signals/${path}`, { ...approver, body: { resolution } });
    await putUnknown('con-u3');
    expect((await post('con-none/effects/0', 'done')).status).toBe(404);
    expect((await post('con-u3/effects/7', 'done')).status).toBe(404);
    expect((await post('con-u3/effects/0', 'undo')).status).toBe(400);
  });
});

describe('POST /api/pairing-codes', () => {
  it('gives a code whose hash alone is stored, for ten minutes', async () => {
    const answer = await world.ask('POST', '/api/pairing-codes', approver);
    expect(answer.status).toBe(201);
    const { code, expiresAt } = answer.body as { code: string; expiresAt: number };
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(expiresAt).toBe(NOW + 600_000);
    const key = pairingCodeKey(SPACE, ` ${code.toLowerCase().slice(0, 4)}-${code.slice(4)} `);
    expect(await loadOne(key)).toStrictEqual({
      ...key,
      schemaVersion: 1,
      expiresAtMs: expiresAt,
      expiresAt: Math.ceil(expiresAt / 1000),
    });
    expect(key.pk).toBe(pairingKey(SPACE, 'x').pk);
    expect(JSON.stringify(key)).not.toContain(code);
  });
});

describe('GET /health', () => {
  const ask = () => world.ask('GET', '/health');
  const beat = (at: number) => world.dynamo.table.put(settingKey(SPACE, 'heartbeat'), { schemaVersion: 1, at });

  it('tells why it is degraded', async () => {
    await beat(NOW - 10_000);
    await setKillSwitch(world.dynamo.table, SPACE, { isStopped: true, by: 'console-approver', at: NOW });
    expect(await ask()).toMatchObject({
      status: 200,
      body: { status: 'degraded', reasons: [expect.stringContaining('stopped')], checks: { isStopped: true } },
    });
    await setKillSwitch(world.dynamo.table, SPACE, { isStopped: false, by: 'console', at: NOW + 1 });
    await beat(NOW - 600_000);
    expect((await ask()).body).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringContaining('last heartbeat was 600 seconds ago')],
    });
  });

  it('tells who has a token which release it is, and what it understands', async () => {
    const { release } = (await ask()).body as Health;
    expect(release).toMatchObject({
      version: VERSION,
      data: DATA_VERSION,
      api: API_VERSION,
      gateSet: GATE_SET.version,
    });
    expect(release.capabilities).toContain('voice');
  });

  it.each([['/health'], ['/api/signals'], ['/'], ['/api/no-such-thing']])('says its versions with %s', async (path) => {
    const { headers } = await world.ask('GET', path, { token: null });
    expect(headers[VERSION_HEADER]).toBe(`${VERSION}; data=${DATA_VERSION}; api=${API_VERSION}`);
  });

  it('needs no token, and gives one answer to all who show none that is known', async () => {
    let now = NOW;
    let reads = 0;
    const shared = await startConsole({ now: () => now });
    const { load } = shared.deps.table;
    const counted: typeof load = (...of) => {
      reads += 1;
      return load(...of);
    };
    Object.assign(shared.deps.table, { load: counted });
    const readsOf = async (tokens: readonly (string | null)[]): Promise<number> => {
      const before = reads;
      const answers = await Promise.all(tokens.map((token) => shared.ask('GET', '/health', { token })));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      return reads - before;
    };
    const crowd = Array.from({ length: 400 }, (_, n) => (n % 2 === 0 ? null : `guessed-${n}`));
    const one = await readsOf([null]);
    expect(one).toBeGreaterThan(0);
    expect(await readsOf(crowd)).toBe(0);
    // Who shows a known token reads the gates in force too.
    expect(await readsOf([APPROVER_TOKEN, SCRIPT_TOKEN])).toBe(2 * (one + 1));
    now += HEALTH_SHARED_MS;
    expect(await readsOf(crowd)).toBe(one);
    await shared.stop();
  });

  it('gives those who show no token the status alone', async () => {
    await beat(NOW - 1000);
    const fresh = await startConsole();
    for (const token of [null, 'guessed'])
      expect((await fresh.ask('GET', '/health', { token })).body).toStrictEqual({ status: 'healthy' });
    await fresh.stop();
  });

  it('is healthy with a fresh heartbeat, and names models and Telegram', async () => {
    await beat(NOW - 1000);
    const fresh = await startConsole();
    await fresh.dynamo.table.put(settingKey(SPACE, 'heartbeat'), { schemaVersion: 1, at: NOW - 1000 });
    const seen = oddityMark(undefined, { name: 'own', model: 'm' }, ['unnumbered', 'no-reason']);
    const odd = oddityMark(seen, { name: 'own', model: 'm' }, ['no-stream']);
    await fresh.dynamo.table.update(spendKey(SPACE, NOW), { set: { schemaVersion: 1, ...odd } });
    expect(await fresh.ask('GET', '/health')).toMatchObject({
      status: 200,
      body: {
        status: 'healthy',
        reasons: [],
        checks: {
          table: 'ok',
          heartbeatAgeSeconds: 1,
          isStopped: false,
          models: ['demo'],
          oddities: [
            'own (m) says no reason for the end of an answer; answers whole where a stream was asked for; does not number its calls',
          ],
          telegram: 'off',
          deadLetters: 0,
        },
      },
    });
    await fresh.stop();
  });

  it('is healthy just after the start and unknown when no heartbeat came for long', async () => {
    const young = await startConsole({ startedAt: NOW - 1000 });
    expect((await young.ask('GET', '/health')).body).toMatchObject({ status: 'healthy' });
    await young.stop();
    const old = await startConsole({ startedAt: NOW - 1_000_000 });
    expect((await old.ask('GET', '/health')).body).toMatchObject({ status: 'unknown' });
    await old.stop();
  });

  it('is degraded with no model and with recent dead letters', async () => {
    const poor = await startConsole({
      settings: { assistant: 'P', providerNames: [], channelStates: { telegram: 'polling' }, caps: DEFAULT_CAPS },
      startedAt: NOW,
    });
    await putSignal(poor.dynamo.table, {
      signal: buildSignal('con-d', { receivedAt: NOW - 1000 }),
      state: 'dead-lettered',
    });
    expect((await poor.ask('GET', '/health')).body).toMatchObject({
      status: 'degraded',
      reasons: [
        expect.stringContaining('1 of the newest'),
        expect.stringMatching(/^no language model is configured: /),
      ],
      checks: { deadLetters: 1, telegram: 'polling' },
    });
    await poor.stop();
  });

  it('says how many jobs wait with moments that are over, and since when', async () => {
    const late = await startConsole({ startedAt: NOW });
    for (const n of [0, 1]) {
      const when = { kind: 'every', minutes: 10, from: NOW - (60 + n) * 60_000 } as const;
      await makeJob(late.dynamo.table, SPACE, sampleJob({ name: `job-${n}`, when }), NOW - 100 * 60_000);
    }
    const since = new Date(NOW - 61 * 60_000).toISOString().slice(0, 16).replace('T', ' ');
    expect((await late.ask('GET', '/health')).body).toMatchObject({
      status: 'degraded',
      reasons: [`moments of 2 jobs wait, the oldest since ${since} UTC: the next heartbeats take them (/jobs list)`],
    });
    await late.stop();
  });

  it('answers 503 when the store is down, without its error text', async () => {
    const down = () => Promise.reject(new Error('secret-laden text'));
    const broken = await startConsole({ table: { ...world.dynamo.table, load: down, queryIndex: down } });
    const answer = await broken.ask('GET', '/health');
    expect(answer).toMatchObject({ status: 503, body: { status: 'unhealthy', checks: { table: 'unreachable' } } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    await broken.stop();
  });
});

describe('GET /', () => {
  it('serves one page that cannot be framed, shown without asking, or given foreign code', async () => {
    const answer = await world.ask('GET', '/', { token: null });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
    const icon = /<link rel="icon" href="data:image\/svg\+xml,[^"]*">/;
    expect(answer.body).toMatch(icon);
    // The manifest is of the same server.
    const manifest = /<link rel="manifest" href="\/manifest\/[0-9a-f]{12}">/;
    expect(answer.body).toMatch(manifest);
    const script = /src="\/page\/[0-9a-f]{12}\.js"/;
    expect(answer.body).toMatch(script);
    const page = String(answer.body).replace(icon, '').replace(manifest, '').replace(script, '');
    expect(page).not.toMatch(/(src|href)=|https?:|style="/);
    // Preact names the elements of pictures by these. Trusted types keep markup out of the page.
    expect(page.replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '')).not.toMatch(/https?:\/\//);
    expect(answer.headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(await world.ask('HEAD', '/', { token: null })).toMatchObject({ status: 200, body: '' });
  });
});
