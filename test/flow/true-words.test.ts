/** An answer that claims what its turn did not do: asked once more, then it carries a line. */
import { afterAll, describe, expect, it } from 'vitest';
import { sessionKey } from '../../lib/core/store/keys.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, toolResultsOf } from '../support/model-server.ts';
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
const wordsOf = (request: ModelServerRequest | undefined) => JSON.stringify(request?.messages);

describe('an answer that claims what was not done', () => {
  it('goes back to the model, which then does it', async () => {
    const { replies, asked } = await write(say("I've saved that."), remember, (request) =>
      toolResultsOf(request).length > 0 ? say("I've saved that.") : say('I have not.'),
    );
    expect(replies).toStrictEqual(["I've saved that."]);
    expect(asked).toHaveLength(3);
    expect(wordsOf(asked[1])).toContain("it says “I've saved that.”, and this turn did nothing of it");
  });

  it.each([
    ["I've saved that.", '(Checked: nothing of this was done in this turn.)'],
    ['Habe ich gespeichert.', '(Geprüft: In dieser Runde wurde nichts davon getan.)'],
  ])('carries a line if it comes again: %s', async (text, line) => {
    const { replies, asked } = await write(say(text), say(text));
    expect(replies).toStrictEqual([`${text}\n\n${line}`]);
    expect(asked).toHaveLength(2);
  });

  it('is left alone if the turn did it, and if it claims nothing', async () => {
    const done = await write(remember, say('Noted! I will keep that in mind.'));
    expect(done.replies).toStrictEqual(['Noted! I will keep that in mind.']);
    expect(done.asked).toHaveLength(2);
    const offer = await write(say('Shall I save that?'));
    expect([offer.replies, offer.asked.length]).toStrictEqual([['Shall I save that?'], 1]);
  });

  it('goes back if the call failed', async () => {
    // The project that notes of this chat are kept in does not exist.
    const place = { scope: 'project', scopeProject: 'ab'.repeat(16) };
    await world.table.update(sessionKey('default', `telegram:${OWNER}`), { set: place });
    const { replies, asked } = await write(remember, say("I've saved that."), say('I could not.'));
    expect(replies).toStrictEqual(['I could not.']);
    expect(asked).toHaveLength(3);
    expect(wordsOf(asked[2])).toContain("it says “I've saved that.”, and this turn did nothing of it");
    await world.table.update(sessionKey('default', `telegram:${OWNER}`), { remove: Object.keys(place) });
  });

  it('goes back if a person denied it', async () => {
    answers = [
      call('run-code', { language: 'javascript', code: '6 * 7', ...because }),
      say('I ran the code: 42.'),
      say('You denied it.'),
    ].map((one) => () => one);
    const before = world.model.requests.length;
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, 'run it')));
    const card = await until('a card', () => world.telegram.sent(OWNER).findLast((one) => one.reply_markup));
    const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Deny');
    world.telegram.tap(
      card.message_id,
      button !== undefined && 'callback_data' in button ? button.callback_data : '',
      OWNER,
    );
    await until('the answer', () => world.telegram.sent(OWNER).find(({ text = '' }) => text === 'You denied it.'));
    expect(world.model.requests.length - before).toBe(3);
    expect(wordsOf(world.model.requests.at(-1))).toContain('it says “I ran the code:”');
  });
});
