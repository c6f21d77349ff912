/**
 * A turn that takes long, on the real stack: it says once that it is at work, and "typing" is refreshed while the model thinks. A
 * fast turn, one whose answer is being shown, and one that was stopped say nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';
import { evidenceOf } from './adversity-world.ts';

const [SLOW, FAST, STEPS, SHOWN, STOPPED] = [4101, 4102, 4103, 4104, 4105];
const GROUP = -4106;
const LINE = 'Still at work on this.';
const SLOW_MS = 12_000;
const LONG = 'The bike is blue and stands in the shed behind the house, as it has since spring. '.repeat(12).trim();

const script = async (request: ModelServerRequest): Promise<ScriptedAnswer> => {
  const text = userTextOf(request);
  if (text.includes('show')) return { kind: 'answer', text: LONG, pieceChars: 16, pieceMs: 200 };
  if (text.includes('steps')) {
    await sleep(7_000);
    if (toolResultsOf(request).length === 0)
      return { kind: 'answer', calls: [{ tool: 'current-time', args: { explanation: 'because the owner asked' } }] };
    return say('It is late.');
  }
  if (text.includes('slow')) {
    await sleep(SLOW_MS);
    return say('There it is.');
  }
  return say(`re ${text}`);
};

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({ allowedChats: [SLOW, FAST, STEPS, SHOWN, STOPPED, GROUP], script });
});
afterAll(() => world?.stop());

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text }) => text);
const typingIn = (chat: number) =>
  world.telegram.calls.filter(
    ({ method, params }) => method === 'sendChatAction' && String(params.chat_id) === String(chat),
  );

describe('a turn that takes long', () => {
  it('says so once in a private chat, a group and at the console, and goes on typing', async () => {
    world.telegram.failNext('sendChatAction', 'lost-answer');
    const [inChat, inGroup] = [SLOW, GROUP].map((chat) => world.telegram.sendText(chat, SLOW, 'slow one'));
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'slow one' });
    const ids = [inChat, inGroup].flatMap((update) => (update === undefined ? [] : [signalIdOf(update)]));
    for (const id of [...ids, body.id]) {
      const view = await world.settled(id);
      expect([view.state, view.replies]).toStrictEqual(['acted', [LINE, 'There it is.']]);
    }
    for (const chat of [SLOW, GROUP]) {
      expect(textsTo(chat)).toStrictEqual([LINE, 'There it is.']);
      // Ingress types once; the rest is what Act refreshes.
      expect(typingIn(chat).length).toBeGreaterThanOrEqual(3);
    }
    const { decision, effects } = await evidenceOf(world.table, 'default', `${ids[0]}/at-work`);
    expect(decision?.actions.map(({ action, trace }) => [action.template, trace.length > 0])).toStrictEqual([
      ['at-work', true],
    ]);
    expect(effects.map(({ state }) => state)).toStrictEqual(['done']);
  });

  it('says so once where it is made of several steps', async () => {
    const view = await world.settled(signalIdOf(world.telegram.sendText(STEPS, STEPS, 'steps')));
    expect(view.replies).toStrictEqual([LINE, 'It is late.']);
    expect(textsTo(STEPS)).toStrictEqual([LINE, 'It is late.']);
  });

  it('says nothing where its answer is being shown, nor where it is over soon', async () => {
    const shown = world.telegram.sendText(SHOWN, SHOWN, 'show me');
    await world.settled(signalIdOf(world.telegram.sendText(FAST, FAST, 'hello')));
    await world.settled(signalIdOf(shown));
    expect([textsTo(FAST), typingIn(FAST).length]).toStrictEqual([['re hello'], 1]);
    expect(textsTo(SHOWN)).toStrictEqual([LONG]);
    expect((await world.scan()).filter(({ pk }) => String(pk).includes(`${signalIdOf(shown)}/at-work`))).toStrictEqual(
      [],
    );
  });

  it('says nothing once it is stopped', async () => {
    const update = world.telegram.sendText(STOPPED, STOPPED, 'slow one');
    await until('the model is asked', () => typingIn(STOPPED).length > 1);
    await world.settled(signalIdOf(world.telegram.sendText(STOPPED, STOPPED, '/stop')));
    await world.settled(signalIdOf(update));
    expect(textsTo(STOPPED)).not.toContain(LINE);
    expect(textsTo(STOPPED)).not.toContain('There it is.');
  });
});
