/**
 * Messages in, verified replies out, on the real stack: one, many at once, in two chats, repeated,
 * by polling and by webhook.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HISTORY_TURNS_MAX } from '../../lib/base/limits.ts';
import { GATE_SET } from '../../lib/gates/engine/gate-set.ts';
import { HISTORY_TURNS_KEPT } from '../../lib/ledger/session.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { type ModelServerRequest, say, userTextOf } from '../support/model-server.ts';
import { BOT_TOKEN, signalIdOf, startTestStack, TELEGRAM_SECRET, type TestStack, until } from '../support/stack.ts';

const [OWNER, ANNA, BERT, QUICK, TRIPLE, PUSHED] = [1001, 1002, 1003, 1004, 1005, 1006];
const GATES = GATE_SET.gates.map((gate) => gate.name);

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER, ANNA, BERT, QUICK, TRIPLE, PUSHED],
    script: (request) => say(`re ${userTextOf(request)}`),
  });
});
afterAll(() => world?.stop());

const textsTo = (chat: number) => world.telegram.sent(chat).map((message) => message.text);
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
    const update = world.telegram.sendText(OWNER, OWNER, 'look at https://example.com');
    await until('a reply', () => textsTo(OWNER).length > 0);
    await world.settled(signalIdOf(update));
    await until('typing', () => callsOf('sendChatAction', OWNER).at(-1)?.outcome);
    expect(textsTo(OWNER)).toStrictEqual(['re look at https://example.com']);
    expect(callsOf('sendMessage', OWNER).map(({ params, outcome, via }) => ({ params, outcome, via }))).toStrictEqual([
      {
        params: {
          chat_id: String(OWNER),
          text: 're look at https://example.com',
          link_preview_options: { is_disabled: true },
        },
        outcome: 'ok',
        via: 'http',
      },
    ]);
    expect(callsOf('sendChatAction', OWNER).map(({ params, outcome }) => [params.action, outcome])).toStrictEqual([
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
