/**
 * Messages in, verified replies out, on the real stack: one, many at once, in two chats, repeated,
 * by polling and by webhook. Tools: results come back to the model, several actions of one answer,
 * and where a chain ends.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPTH_MAX, HISTORY_TURNS_MAX } from '../../lib/core/base/limits.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { HISTORY_TURNS_KEPT } from '../../lib/core/ledger/session.ts';
import { ACTIONS_MAX } from '../../lib/core/llm/parse-proposal.ts';
import { findUnaccounted } from '../support/evidence.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { BOT_TOKEN, signalIdOf, startTestStack, TELEGRAM_SECRET, until } from '../support/stack.ts';

const [OWNER, ANNA, BERT, QUICK, TRIPLE, PUSHED] = [1001, 1002, 1003, 1004, 1005, 1006];
const [MEMORY, SEVERAL, ENDLESS, MANY] = [4001, 4002, 4003, 4004];
const GATES = GATE_SET.gates.map((gate) => gate.name);

const SHOWS_TYPING = 'look at https://example.com';
const because = { explanation: 'the owner asked for exactly this' };
const time = { tool: 'current-time', args: because };

const answer = async (request: ModelServerRequest): Promise<ScriptedAnswer> => {
  const text = userTextOf(request);
  // A sign of life that comes behind the answer is not shown.
  if (text === SHOWS_TYPING) await until('the second sign of life', () => callsOf('sendChatAction', OWNER).length > 1);
  const results = toolResultsOf(request);
  const isFirst = results.length === 0;
  if (text === 'remember the gate code')
    return isFirst ? call('remember', { text: 'the gate opens with a song', ...because }) : say('Noted.');
  if (text === 'how does the gate open?')
    return isFirst ? call('recall', { query: 'gate', ...because }) : say(`I read: ${results.join()}`);
  if (text === 'three things' && isFirst) {
    return {
      kind: 'answer',
      text: 'Let me see.',
      calls: [{ tool: 'remember', args: { text: 'one of three', ...because } }, time],
    };
  }
  if (text === 'for ever') return { kind: 'answer', calls: [time] };
  if (text === 'too many' && isFirst)
    return { kind: 'answer', calls: Array.from({ length: ACTIONS_MAX + 1 }, () => time) };
  return say(`re ${text}`);
};

const world = await startTestStack({
  allowedChats: [OWNER, ANNA, BERT, QUICK, TRIPLE, PUSHED, MEMORY, SEVERAL, ENDLESS, MANY],
  script: answer,
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text);
const ask = (chat: number, text: string) => world.settled(signalIdOf(world.telegram.sendText(chat, chat, text)));
const gatesOf = (trace: readonly { readonly gate: string }[] | undefined) => trace?.map((entry) => entry.gate).sort();
const callsOf = (method: string, chat: number) =>
  world.telegram.calls.filter((call) => call.method === method && Number(call.params.chat_id) === chat);
const requestFor = (text: string): ModelServerRequest => {
  const found = world.model.requests.filter((request) => userTextOf(request) === text);
  expect(found).toHaveLength(1);
  return found[0] as ModelServerRequest;
};
/** The conversation as a request shows it, without the system's own words. */
const saidIn = (request: ModelServerRequest) =>
  request.messages
    .filter((message) => message.role !== 'system')
    .map((message) => (message.content ?? '').split('\u27e6')[0]?.trim());

describe('a message by polling', () => {
  it('gets exactly one reply, with the typing indicator and no link preview', async () => {
    const update = world.telegram.sendText(OWNER, OWNER, SHOWS_TYPING);
    await until('a reply', () => textsTo(OWNER).length > 0);
    await world.settled(signalIdOf(update));
    await until('typing', () => callsOf('sendChatAction', OWNER).at(-1)?.outcome);
    expect(textsTo(OWNER)).toStrictEqual([`re ${SHOWS_TYPING}`]);
    expect(callsOf('sendMessage', OWNER).map(({ params, outcome, via }) => ({ params, outcome, via }))).toStrictEqual([
      {
        params: {
          chat_id: String(OWNER),
          text: `re ${SHOWS_TYPING}`,
          link_preview_options: { is_disabled: true },
        },
        outcome: 'ok',
        via: 'http',
      },
    ]);
    // One when the message came, and one of a fresh Reason, which wakes Act by it.
    expect(callsOf('sendChatAction', OWNER).map(({ params, outcome }) => [params.action, outcome])).toStrictEqual([
      ['typing', 'ok'],
      ['typing', 'ok'],
    ]);
  });

  it('is shown with its decision, gate traces and effect', async () => {
    const update = world.telegram.sendText(OWNER, OWNER, 'show me');
    const view = await world.settled(signalIdOf(update));
    const message = world.telegram.sent(OWNER).at(-1);
    expect(view).toMatchObject({
      id: signalIdOf(update),
      state: 'acted',
      source: 'telegram',
      session: `telegram:${OWNER}`,
      depth: 0,
      text: [{ text: 'show me', origin: 'owner' }],
      replies: ['re show me'],
      children: [],
      decision: {
        gateSet: GATE_SET.version,
        outcome: 'act',
        attempts: [{ n: 1, proposal: { text: 're show me', calls: [] } }],
        actions: [
          {
            n: 0,
            action: { target: 'telegram', to: String(OWNER), text: 're show me', author: 'model' },
            state: 'done',
          },
        ],
      },
      effects: [{ n: 0, actuator: 'telegram', state: 'done', tries: 1 }],
    });
    const [action] = view.decision?.actions ?? [];
    const [effect] = view.effects;
    expect(effect?.actionHash).toBe(action?.actionHash);
    expect(effect?.output).toBe(JSON.stringify({ messageIds: [message?.message_id] }));
    for (const trace of [view.decision?.attempts[0]?.trace, action?.trace, effect?.trace])
      expect(trace?.map((entry) => entry.gate).sort()).toStrictEqual([...GATES].sort());
  });
});

describe('two chats', () => {
  it('interleave without mixing', async () => {
    const updates = [1, 2, 3, 4].flatMap((n) => [
      world.telegram.sendText(ANNA, ANNA, `anna-${n}`),
      world.telegram.sendText(BERT, BERT, `bert-${n}`),
    ]);
    for (const update of updates) await world.settled(signalIdOf(update));
    for (const [chat, own, other] of [
      [ANNA, 'anna', 'bert'],
      [BERT, 'bert', 'anna'],
    ] as const) {
      expect(textsTo(chat)).toStrictEqual([1, 2, 3, 4].map((n) => `re ${own}-${n}`));
      for (const n of [1, 2, 3, 4]) {
        const request = requestFor(`${own}-${n}`);
        expect(JSON.stringify(request.messages)).not.toContain(other);
        const earlier = [1, 2, 3, 4].slice(0, n - 1).flatMap((k) => [`${own}-${k}`, `re ${own}-${k}`]);
        expect(saidIn(request)).toStrictEqual([...earlier, `${own}-${n}`]);
      }
    }
  });
});

describe('twenty quick messages in one chat', () => {
  it('are answered in order, once each, later ones with the earlier ones as history', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `quick-${index + 1}`);
    const updates = names.map((name) => world.telegram.sendText(QUICK, QUICK, name));
    await until('twenty replies', () => textsTo(QUICK).length >= names.length);
    for (const update of updates) await world.settled(signalIdOf(update));
    expect(textsTo(QUICK)).toStrictEqual(names.map((name) => `re ${name}`));
    const last = requestFor('quick-20');
    // Dropped in blocks: down to some when there would be one too many, and then growing again.
    const sinceDrop = (names.length - 1 - (HISTORY_TURNS_MAX + 1)) % (HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT);
    const remembered = names.slice(0, -1).slice(-HISTORY_TURNS_KEPT - sinceDrop);
    expect(saidIn(last)).toStrictEqual([...remembered.flatMap((name) => [name, `re ${name}`]), 'quick-20']);
  });
});

describe('updates that come three times, out of order', () => {
  it('get one reply each', async () => {
    const names = [1, 2, 3, 4, 5].map((n) => `triple-${n}`);
    const updates = names.map((name) => world.telegram.sendText(TRIPLE, TRIPLE, name));
    for (const index of [4, 0, 3, 1, 2]) {
      const update = updates[index];
      if (update === undefined) throw new Error('no such update');
      world.telegram.redeliver(update.update_id);
      expect((await world.postUpdate(update)).status).toBe(200);
    }
    for (const update of updates) await world.settled(signalIdOf(update));
    // Once more after all has ended: nothing is left that could answer.
    const posted = await Promise.all(updates.toReversed().map((update) => world.postUpdate(update)));
    expect(posted.map(({ status }) => status)).toStrictEqual(names.map(() => 200));
    await until('nothing is pending', () => world.telegram.pending().length === 0);
    const marker = world.telegram.sendText(TRIPLE, TRIPLE, 'last');
    await world.settled(signalIdOf(marker));
    expect([...textsTo(TRIPLE)].sort()).toStrictEqual(['re last', ...names.map((name) => `re ${name}`)]);
    for (const name of names) requestFor(name);
  });
});

describe('a tool call', () => {
  it('comes back to the model as a signal one step deeper, and ends in one reply', async () => {
    const view = await ask(MEMORY, 'remember the gate code');
    expect(view).toMatchObject({
      state: 'acted',
      replies: ['Noted.'],
      children: [`${view.id}/1`],
      effects: [{ actuator: 'tool', state: 'done' }],
    });
    const child = await world.signal(`${view.id}/1`);
    expect(child).toMatchObject({
      sensor: 'tool-output',
      depth: 1,
      parent: view.id,
      root: view.id,
      state: 'acted',
      sender: 'system',
    });
    const again = world.model.requests.at(-1);
    expect(again?.messages.at(-3)).toMatchObject({
      role: 'assistant',
      tool_calls: [{ function: { name: 'remember' } }],
    });
    expect(again?.messages.at(-2)?.content).toMatch(/^state: done\nRemembered as \S+\.$/);
    expect(again?.messages.at(-2)?.tool_call_id).toBe(again?.messages.at(-3)?.tool_calls?.[0]?.id);
    expect(textsTo(MEMORY)).toStrictEqual(['Noted.']);
  });

  it('finds later what was remembered', async () => {
    const view = await ask(MEMORY, 'how does the gate open?');
    expect(view.replies).toHaveLength(1);
    expect(view.replies[0]).toContain('the gate opens with a song');
    expect(textsTo(MEMORY)).toStrictEqual(['Noted.', view.replies[0]]);
  });
});

describe('text and two tool calls in one answer', () => {
  it('are three actions, each with its own trace and effect', async () => {
    const view = await ask(SEVERAL, 'three things');
    expect(view.decision?.actions.map(({ action, state }) => [action.target, action.tool, state])).toStrictEqual([
      ['telegram', undefined, 'done'],
      ['tool', 'remember', 'done'],
      ['tool', 'current-time', 'done'],
    ]);
    for (const action of view.decision?.actions ?? []) expect(gatesOf(action.trace)).toStrictEqual([...GATES].sort());
    expect(view.effects.map(({ n, actuator, state, tries }) => ({ n, actuator, state, tries }))).toStrictEqual([
      { n: 0, actuator: 'telegram', state: 'done', tries: 1 },
      { n: 1, actuator: 'tool', state: 'done', tries: 1 },
      { n: 2, actuator: 'tool', state: 'done', tries: 1 },
    ]);
    for (const effect of view.effects) expect(gatesOf(effect.trace)).toStrictEqual([...GATES].sort());
    expect(view.effects.map((effect) => effect.actionHash)).toStrictEqual(
      view.decision?.actions.map((action) => action.actionHash),
    );
    const results = toolResultsOf(world.model.requests.at(-1) as ModelServerRequest);
    expect(results).toHaveLength(2);
    expect(results[0]).toContain('Remembered as');
    expect(textsTo(SEVERAL)).toStrictEqual(['Let me see.', 're three things']);
  });
});

describe('a chain of tool calls', () => {
  it(`ends after depth ${DEPTH_MAX} with a plain notice, and frees the conversation`, async () => {
    const asked = world.model.requests.length;
    const view = await ask(ENDLESS, 'for ever');
    expect(textsTo(ENDLESS)).toStrictEqual([
      `I stopped here: this task went on for too many steps. Details: /why ${view.id}`,
    ]);
    expect(world.model.requests.length - asked).toBe(DEPTH_MAX + 1);
    const last = await world.signal(`${view.id}${'/1'.repeat(DEPTH_MAX + 1)}`);
    expect(last).toMatchObject({ depth: DEPTH_MAX + 1, state: 'dropped', stateReason: 'deeper than 10 steps' });
    expect((await ask(ENDLESS, 'and now?')).replies).toStrictEqual(['re and now?']);
  });
});

describe('an answer with too many calls', () => {
  it('is rejected whole, three times, and ends in a plain refusal', async () => {
    const view = await ask(MANY, 'too many');
    expect(view).toMatchObject({ state: 'refused', effects: [{ actuator: 'telegram', state: 'done' }] });
    expect(view.decision?.attempts.map(({ n, proposal }) => [n, proposal])).toStrictEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
    expect(textsTo(MANY)).toHaveLength(1);
    expect(textsTo(MANY)[0]).toMatch(/^I could not do that/);
  });
});

describe('a message by webhook', () => {
  beforeAll(async () => {
    await world.poller?.stop();
    const answer = await fetch(`${world.telegram.root}/bot${BOT_TOKEN}/setWebhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `${world.stack.url}/telegram`,
        secret_token: TELEGRAM_SECRET,
        max_connections: 1,
      }),
    });
    expect(answer.status).toBe(200);
  });

  it('gets exactly one reply, and the typing indicator as the answer of the webhook', async () => {
    const update = world.telegram.sendText(PUSHED, PUSHED, 'pushed');
    const view = await world.settled(signalIdOf(update));
    expect(view).toMatchObject({ state: 'acted', replies: ['re pushed'] });
    expect(textsTo(PUSHED)).toStrictEqual(['re pushed']);
    expect(world.telegram.pending()).toStrictEqual([]);
    expect(callsOf('sendChatAction', PUSHED).map(({ via, outcome }) => [via, outcome])).toStrictEqual([
      ['webhook-answer', 'ok'],
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['a wrong secret', { 'x-telegram-bot-api-secret-token': `${TELEGRAM_SECRET}x` }],
    ['an empty secret', { 'x-telegram-bot-api-secret-token': '' }],
    ['no secret', {}],
  ])('is refused with %s, and leaves no record', async (_name, headers) => {
    const message = { message_id: 1, date: 1, chat: { id: PUSHED, type: 'private' }, from: { id: PUSHED }, text: 'hi' };
    const update = { update_id: 1, message };
    const before = await world.scan();
    const answer = await world.postUpdate(update, headers);
    expect(answer).toMatchObject({ status: 401, body: { error: { code: '401' } } });
    expect((await world.api('GET', `/api/signals/${signalIdOf(update)}`)).status).toBe(404);
    expect(await world.scan()).toStrictEqual(before);
  });
});

describe('every outgoing text', () => {
  it('has a decision and an effect', async () => {
    expect(world.telegram.sent().length).toBeGreaterThan(30);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });

  it('would be found out without them', async () => {
    await fetch(`${world.telegram.root}/bot${BOT_TOKEN}/sendMessage?chat_id=${OWNER}&text=smuggled`);
    expect(await findUnaccounted(world)).toStrictEqual([
      `to ${OWNER}: "smuggled": no decided action with an effect shows it`,
    ]);
  });
});
