/**
 * Everything Telegram may do instead of "ok", on the real stack: each ends in a state a person can
 * see, and nothing is sent twice.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TELEGRAM_TEXT_UNITS_MAX } from '../../lib/features/chats/format.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [SHORT, LONG, BLOCKED, LOST, MARKED, WORDY, AWAY, MIDWAY, SERVED, PAUSED, REFUSED] = [
  7001, 7002, 7003, 7004, 7005, 7006, 7007, 7008, 7009, 7010, 7011,
];
/** 9,000 characters in numbered words, so that order and completeness can be read off. */
const LONG_TEXT = Array.from({ length: 1500 }, (_, index) => `w${String(index).padStart(4, '0')}`)
  .join(' ')
  .padEnd(9000, '.');
const FORMATTED = 'This is **bold** and `code`.';

/** The model waits here for the test. */
let beforeAnswer: Promise<unknown> = Promise.resolve();

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [SHORT, LONG, BLOCKED, LOST, MARKED, WORDY, AWAY, MIDWAY, SERVED, PAUSED, REFUSED],
    script: async (request) => {
      const text = userTextOf(request);
      if (text === 'while away') await beforeAnswer;
      if (text.startsWith('at length')) return say(LONG_TEXT);
      return say(text === 'formatted' ? FORMATTED : `re ${text}`);
    },
  });
});
afterAll(() => world?.stop());

/** `telegram-outage.test.ts` tests the notice about a reply that may be lost. */
const isDoubt = (text: unknown) => String(text).includes('may not have arrived');
const textsTo = (chat: number) =>
  world.telegram
    .sent(chat)
    .map((message) => message.text ?? '')
    .filter((text) => !isDoubt(text));
const sendsTo = (chat: number) =>
  world.telegram.calls.filter(
    ({ method, params }) => method === 'sendMessage' && Number(params.chat_id) === chat && !isDoubt(params.text),
  );
const ask = (chat: number, text: string) => world.settled(signalIdOf(world.telegram.sendText(chat, chat, text)));

describe('a flood limit', () => {
  it('that is short is waited out on the spot', async () => {
    world.telegram.failNext('sendMessage', { code: 429, retryAfterS: 1 });
    const view = await ask(SHORT, 'hello');
    expect(view).toMatchObject({ state: 'acted', effects: [{ state: 'done', tries: 1 }] });
    const [refused, sent, ...more] = sendsTo(SHORT);
    expect([refused?.outcome, sent?.outcome, more]).toStrictEqual([429, 'ok', []]);
    expect((sent?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(textsTo(SHORT)).toStrictEqual(['re hello']);
  });

  it('that is long goes back to the queue for that time, and holds up no other chat', async () => {
    world.telegram.failNext('sendMessage', { code: 429, retryAfterS: 6 });
    const update = world.telegram.sendText(LONG, LONG, 'hello');
    await until('it is refused', () => sendsTo(LONG).length === 1);
    expect((await ask(SERVED, 'meanwhile')).replies).toStrictEqual(['re meanwhile']);
    expect(sendsTo(LONG)).toHaveLength(1);
    const view = await world.settled(signalIdOf(update));
    expect(view).toMatchObject({ state: 'acted', effects: [{ state: 'done', tries: 2 }] });
    const [refused, sent, ...more] = sendsTo(LONG);
    expect(more).toStrictEqual([]);
    expect((sent?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(6000);
    expect(textsTo(LONG)).toStrictEqual(['re hello']);
  });
});

describe('a text that Telegram refuses', () => {
  it('is told to the person, who may have it sent again', async () => {
    const refusal = { code: 400, description: 'Bad Request: MESSAGE_REFUSED' };
    world.telegram.failNext('sendMessage', refusal);
    const view = await ask(REFUSED, 'hello');
    expect(view).toMatchObject({ state: 'acted', effects: [{ state: 'failed', tries: 1 }] });
    const told = 'was not sent: Telegram refused the text (400): Bad Request: MESSAGE_REFUSED.';
    await until('it is told', () => textsTo(REFUSED).some((text) => text?.includes(told)));
    const notice = world.telegram.sent(REFUSED).find(({ text }) => text?.includes(told));
    const [button] = notice?.reply_markup?.inline_keyboard.flat() ?? [];
    if (notice === undefined || button === undefined || !('callback_data' in button)) throw new Error('no button');
    world.telegram.tap(notice.message_id, button.callback_data, REFUSED);
    await until('it is sent again', () => textsTo(REFUSED).includes('re hello'));
  });
});

describe('a bot that is blocked', () => {
  it('fails visibly, is not tried again, and talks again when it is let in', async () => {
    const update = world.telegram.sendText(BLOCKED, BLOCKED, 'hello');
    world.telegram.blockChat(BLOCKED);
    const view = await world.settled(signalIdOf(update));
    expect(view).toMatchObject({
      state: 'acted',
      replies: [],
      decision: { actions: [{ state: 'failed' }] },
      effects: [{ state: 'failed', reason: 'the person blocked the bot or left', tries: 1 }],
    });
    expect(sendsTo(BLOCKED).map(({ outcome }) => outcome)).toStrictEqual([403]);
    world.telegram.unblockChat(BLOCKED);
    expect((await ask(BLOCKED, 'back')).replies).toStrictEqual(['re back']);
  });
});

describe('an answer that is lost', () => {
  it('leaves the outcome unknown and shown; a person who says "retry" gets exactly one more send', async () => {
    world.telegram.failNext('sendMessage', 'lost-answer');
    const view = await ask(LOST, 'hello');
    expect(view).toMatchObject({ state: 'acted', effects: [{ state: 'unknown', tries: 1 }] });
    expect(view.effects[0]?.reason).toMatch(/^the connection ended before Telegram answered/);
    expect(sendsTo(LOST)).toHaveLength(1);

    const resolve = (resolution: string, token?: string) =>
      world.api('POST', `/api/signals/${view.id}/effects/0`, { resolution }, token);
    expect((await resolve('retry', SCRIPT_TOKEN)).status).toBe(403);
    expect((await resolve('perhaps', APPROVER_TOKEN)).status).toBe(400);
    expect((await resolve('retry', APPROVER_TOKEN)).status).toBe(202);
    await until('it is sent again', async () => (await world.signal(view.id)).effects[0]?.state === 'done');
    expect((await resolve('retry', APPROVER_TOKEN)).status).toBe(409);
    await ask(LOST, 'thanks');
    expect(textsTo(LOST)).toStrictEqual(['re hello', 're hello', 're thanks']);
  });

  it('is settled by a person who says "done", and nothing more is sent', async () => {
    world.telegram.failNext('sendMessage', 'garbage');
    const view = await ask(LOST, 'again');
    expect(view.effects).toMatchObject([{ state: 'unknown', reason: 'the answer is not JSON (HTTP 200)' }]);
    const answer = await world.api('POST', `/api/signals/${view.id}/effects/0`, { resolution: 'done' }, APPROVER_TOKEN);
    expect(answer).toStrictEqual({ status: 202, body: { id: view.id, n: 0, resolution: 'done' } });
    expect((await world.signal(view.id)).effects).toMatchObject([
      { state: 'done', resolution: 'done', reason: 'resolved by a person' },
    ]);
    await ask(LOST, 'good');
    expect(textsTo(LOST).slice(3)).toStrictEqual(['re again', 're good']);
  });
});

describe('a long reply that has to wait in its midst', () => {
  it('goes on behind what was sent, and sends each part once', async () => {
    const update = world.telegram.sendText(PAUSED, PAUSED, 'at length, with a pause');
    while (world.telegram.sent(PAUSED).length === 0) await new Promise((resolve) => setImmediate(resolve));
    world.telegram.failNext('sendMessage', { code: 429, retryAfterS: 21 });
    await until('it waits', async () => (await world.signal(signalIdOf(update))).effects[0]?.state === 'waiting');
    const view = await world.settled(signalIdOf(update));
    expect(view.effects).toMatchObject([{ state: 'done', tries: 2 }]);
    expect(textsTo(PAUSED).slice(0, 3).join(' ')).toBe(LONG_TEXT);
    expect(sendsTo(PAUSED).filter(({ outcome }) => outcome === 'ok').length).toBeLessThanOrEqual(4);
  });
});

describe('formatting', () => {
  it('is shown; where Telegram refuses it the text comes as one block', async () => {
    await ask(MARKED, 'formatted');
    expect(world.telegram.sent(MARKED)[0]).toMatchObject({
      text: 'This is bold and code.',
      entities: [{ type: 'bold' }, { type: 'code' }],
    });
    world.telegram.failNext('sendMessage', {
      code: 400,
      description: "Bad Request: can't parse entities: unsupported",
    });
    expect(await ask(MARKED, 'formatted')).toMatchObject({ effects: [{ state: 'done', tries: 1 }] });
    expect(world.telegram.sent(MARKED).at(-1)?.entities).toMatchObject([{ type: 'pre' }]);
  });
});

describe('a long reply', () => {
  it('comes in parts, in order, complete', async () => {
    const view = await ask(WORDY, 'at length');
    const texts = textsTo(WORDY);
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(TELEGRAM_TEXT_UNITS_MAX);
    expect(texts.join(' ')).toBe(LONG_TEXT);
    expect(view.effects).toMatchObject([
      {
        state: 'done',
        output: JSON.stringify({ messageIds: world.telegram.sent(WORDY).map((message) => message.message_id) }),
      },
    ]);
  });

  it('that breaks off is unknown, says how far it came, and sends no part twice', async () => {
    const update = world.telegram.sendText(MIDWAY, MIDWAY, 'at length, again');
    // The server runs in this very loop: the first part is seen here before the second can arrive.
    while (world.telegram.sent(MIDWAY).length === 0) await new Promise((resolve) => setImmediate(resolve));
    world.telegram.failNext('sendMessage', 'lost-answer');
    const view = await world.settled(signalIdOf(update));
    expect(view.effects).toMatchObject([{ state: 'unknown', tries: 1 }]);
    expect(view.effects[0]?.reason).toMatch(/; 1 of 3 messages were sent before$/);
    expect(textsTo(MIDWAY)).toHaveLength(2);
    expect(sendsTo(MIDWAY)).toHaveLength(2);
  });
});

describe('Telegram that cannot be reached', () => {
  it('gets the reply once, as soon as it is back', async () => {
    const gate = Promise.withResolvers<void>();
    beforeAnswer = gate.promise;
    const update = world.telegram.sendText(AWAY, AWAY, 'while away');
    await until('the model is asked', () =>
      world.model.requests.some((request) => userTextOf(request) === 'while away'),
    );
    await world.telegram.refuseConnections();
    gate.resolve();
    await until('a try has failed', async () => {
      const [effect] = (await world.signal(signalIdOf(update))).effects;
      return effect?.state === 'waiting' && effect.reason?.startsWith('Telegram could not be reached');
    });
    await world.telegram.acceptConnections();
    const view = await world.settled(signalIdOf(update));
    expect(view).toMatchObject({ state: 'acted', effects: [{ state: 'done' }] });
    // Another try may have failed before Telegram was back.
    expect(view.effects[0]?.tries).toBeGreaterThanOrEqual(2);
    expect(textsTo(AWAY)).toStrictEqual(['re while away']);
  });
});

describe('every outgoing text', () => {
  it('has a decision and an effect, whatever became of it', async () => {
    expect(world.telegram.sent().length).toBeGreaterThan(12);
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});
