/** An answer that speaks of a deed carries a line that says what its turn did. */
import { afterAll, describe, expect, it } from 'vitest';
import { sessionKey } from '../../lib/core/store/keys.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const OWNER = 7_301;
const because = { explanation: 'the owner asked to keep it' };
const remember = call('remember', { text: 'the bike is blue', ...because });

let answers: ((request: ModelServerRequest) => ScriptedAnswer)[] = [];
const script = (request: ModelServerRequest) => (answers.shift() ?? (() => say('ok')))(request);
const world = await startTestStack({ allowedChats: [OWNER], approvers: [OWNER], script });
afterAll(world.stop);

/** @returns the answers to a message, and what the model was asked for it */
const write = async (...script: readonly (ScriptedAnswer | ((request: ModelServerRequest) => ScriptedAnswer))[]) => {
  answers = script.map((one) => (typeof one === 'function' ? one : () => one));
  const before = world.model.requests.length;
  const { replies } = await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'keep: the bike is blue')));
  return { replies, asked: world.model.requests.slice(before) };
};

const NOTHING = '(Nothing was sent, booked or saved in this turn.)';

describe('an answer that speaks of a deed', () => {
  it.each([
    ["I've saved that.", NOTHING],
    ['Habe ich gespeichert.', '(In dieser Runde wurde nichts gesendet, gebucht oder gespeichert.)'],
  ])('carries a line in a turn that did nothing, and does not go back: %s', async (text, line) => {
    const { replies, asked } = await write(say(text));
    expect(replies).toStrictEqual([`${text}\n\n${line}`]);
    expect(asked).toHaveLength(1);
  });

  it('is left alone if the turn did it, and if it offers', async () => {
    const done = await write(remember, say('Noted! I will keep that in mind.'));
    expect(done.replies).toStrictEqual(['Noted! I will keep that in mind.']);
    expect(done.asked).toHaveLength(2);
    const offer = await write(say('Shall I save that?'));
    expect([offer.replies, offer.asked.length]).toStrictEqual([['Shall I save that?'], 1]);
  });

  it('carries the line if the call failed', async () => {
    // The project that notes of this chat are kept in does not exist.
    const place = { scope: 'project', scopeProject: 'ab'.repeat(16) };
    await world.table.update(sessionKey('default', `telegram:${OWNER}`), { set: place });
    const { replies } = await write(remember, say("I've saved that."));
    expect(replies).toStrictEqual([`I've saved that.\n\n${NOTHING}`]);
    await world.table.update(sessionKey('default', `telegram:${OWNER}`), { remove: Object.keys(place) });
  });

  it('carries it if a person denied the call', async () => {
    answers = [call('run-code', { language: 'javascript', code: '6 * 7', ...because }), say('I ran the code: 42.')].map(
      (one) => () => one,
    );
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'run it')));
    const card = await until('a card', () => world.telegram.sent(OWNER).findLast((one) => one.reply_markup));
    const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Deny');
    world.telegram.tap(
      card.message_id,
      button !== undefined && 'callback_data' in button ? button.callback_data : '',
      OWNER,
    );
    const isAnswer = ({ text = '' }: { readonly text?: string | undefined }) => text.startsWith('I ran the code: 42.');
    const { text } = await until('the answer', () => world.telegram.sent(OWNER).find(isAnswer));
    expect(text).toContain(NOTHING);
  });
});
