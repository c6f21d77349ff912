/**
 * The console on the real stack: one message one reply, shown with all its evidence; nothing of it
 * reaches Telegram.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, startTestStack, until } from '../support/stack.ts';

const world = await startTestStack({ script: (request) => say(`re ${userTextOf(request)}`) });
afterAll(world.stop);

const post = async (body: object, token?: string) => world.api<{ id: string }>('POST', '/api/messages', body, token);
const ask = async (text: string, session?: string) => {
  const answer = await post({ text, ...(session === undefined ? {} : { session }) });
  expect(answer.status).toBe(202);
  return world.settled(answer.body.id);
};

describe('a console message', () => {
  it('gets one reply, shown with decision, gate traces and effect', async () => {
    const view = await ask('hello');
    expect(view).toMatchObject({
      state: 'acted',
      source: 'console',
      session: 'console:main',
      depth: 0,
      text: [{ text: 'hello', origin: 'owner' }],
      replies: ['re hello'],
      decision: {
        gateSet: GATE_SET.version,
        outcome: 'act',
        attempts: [{ n: 1 }],
        actions: [{ state: 'done', action: { target: 'console', to: 'main', text: 're hello' } }],
      },
      effects: [{ n: 0, actuator: 'console', state: 'done' }],
      children: [],
    });
    for (const trace of [view.decision?.actions[0]?.trace, view.effects[0]?.trace])
      expect(trace?.map((entry) => entry.gate).sort()).toStrictEqual(GATE_SET.gates.map((gate) => gate.name).sort());
    expect(view.effects[0]?.actionHash).toBe(view.decision?.actions[0]?.actionHash);
  });

  it('posted again under its key is the same message', async () => {
    const body = { text: 'once', idempotencyKey: 'k1' };
    const answers = await Promise.all([post(body), post(body), post(body)]);
    expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1);
    const view = await world.settled(answers[0]?.body.id ?? '');
    expect(view.replies).toStrictEqual(['re once']);
    expect(world.model.requests.filter((request) => userTextOf(request) === 'once')).toHaveLength(1);
    expect(await post({ ...body, text: 'another' })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    expect((await post(body)).status).toBe(202);
  });

  it.each([
    ['no token', '', 401],
    ['a wrong token', 'wrong', 401],
  ])('with %s is refused and leaves no record', async (_name, token, status) => {
    const before = (await world.scan()).length;
    expect((await post({ text: 'secretly' }, token)).status).toBe(status);
    expect((await world.scan()).length).toBe(before);
  });
});

describe('two console sessions', () => {
  it('do not mix', async () => {
    const sessions = ['left', 'right'];
    for (const n of [1, 2, 3]) await Promise.all(sessions.map((session) => ask(`${session}-${n}`, session)));
    for (const [own, other] of [sessions, sessions.toReversed()]) {
      const last = world.model.requests.find((request) => userTextOf(request) === `${own}-3`);
      const said = JSON.stringify(last?.messages);
      for (const n of [1, 2]) expect(said).toContain(`re ${own}-${n}`);
      expect(said).not.toContain(`${other}-`);
    }
  });
});

describe('commands and STOP', () => {
  it('are answered without the model', async () => {
    const asked = world.model.requests.length;
    for (const [text, part] of [
      ['/help', '/resume – carry on after a stop'],
      ['/status', 'Not stopped.'],
      ['/why', 'Decision: act'],
      ['/dance', 'I do not know the command /dance.'],
    ] as const) {
      const view = await ask(text);
      expect(view.effects).toMatchObject([{ actuator: 'console', state: 'done' }]);
      expect(view.replies.join()).toContain(part);
    }
    expect(world.model.requests).toHaveLength(asked);
  });

  it('explains the newest task whose id begins as typed', async () => {
    const { id } = await ask('a task with a long id');
    expect((await ask(`/why ${id.slice(0, 12)}`)).replies.join()).toContain(`${id}: acted`);
    expect((await ask('/why con-')).replies.join()).toContain('I know of no task con- here');
  });

  it('stop everything at once, until the approver token resumes', async () => {
    const stop = await world.api<{ id: string }>('POST', '/api/stop', undefined, SCRIPT_TOKEN);
    expect(stop.status).toBe(202);
    expect((await world.settled(stop.body.id)).replies).toStrictEqual([
      'Stopped. Nothing will be done until an approver resumes it: /resume.',
    ]);
    const asked = world.model.requests.length;
    const stopped = 'I am stopped and do nothing. An approver can end that: /resume';
    expect(await ask('anybody?')).toMatchObject({ state: 'refused', replies: [stopped] });
    expect((await world.api('POST', '/api/resume', undefined, SCRIPT_TOKEN)).status).toBe(403);
    expect((await ask('still?')).replies).toStrictEqual([stopped]);
    expect(world.model.requests).toHaveLength(asked);
    const resume = await world.api<{ id: string }>('POST', '/api/resume', undefined, APPROVER_TOKEN);
    expect((await world.settled(resume.body.id)).replies).toStrictEqual(['Running again.']);
    expect((await ask('and now?')).replies).toStrictEqual(['re and now?']);
  });
});

describe('what the console says', () => {
  it('never reaches Telegram, and has a decision and an effect for every text', async () => {
    await until('all has ended', async () => {
      const { body } = await world.api<{ signals: { state: string }[] }>('GET', '/api/signals?limit=100');
      return body.signals.every(({ state }) => ['acted', 'refused'].includes(state));
    });
    expect(world.telegram.calls.filter(({ method }) => method !== 'getUpdates')).toStrictEqual([]);
    const items = await world.scan();
    const partitions = (sk: string) =>
      items
        .filter((item) => item.sk === sk)
        .map((item) => item.pk)
        .sort();
    expect(partitions('decision').length).toBeGreaterThan(14);
    expect(partitions('effect#0')).toStrictEqual(partitions('decision'));
    expect(partitions('decision')).toStrictEqual(partitions('record').filter((pk) => String(pk).startsWith('signal#')));
  });
});
