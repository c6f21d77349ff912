/**
 * Topics of a forum group on the real stack: each is a conversation of its own, with its history,
 * its cards and its stop. General, and a group without topics, are the conversation of the group.
 */
import type { Message } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pairedChatKey } from '../../lib/core/ledger/paired-chats.ts';
import { loadHead } from '../../lib/core/ledger/session-controls.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER, FORUM, MUM] = [7_201, 7_202, -1_007_203, 7_204];
const [GARDEN, KITCHEN] = [11, 12];
const GENERAL = undefined;
const PLACES = [GARDEN, KITCHEN, GENERAL];
const because = { explanation: 'the owner asked for exactly this message' };

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const asked = userTextOf(request);
  const [, text = ''] = /tell mum that (.*)$/m.exec(asked) ?? [];
  if (text !== '') return call('send-message', { to: 'mum', text, ...because });
  if (asked.includes('red or blue')) return say('Which one?\n\n1. Red\n2. Blue');
  const known = [...JSON.stringify(request.messages).matchAll(/the word is (\w+)/g)].map(([, word]) => word);
  return say(`I know: ${[...new Set(known)].join(', ')}.`);
};

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER, MUM],
    approvers: [OWNER],
    environment: { STREAMING: 'on' },
    script: answer,
  });
  world.telegram.openChat(MUM);
  await world.table.put(pairedChatKey('default', String(FORUM)), { schemaVersion: 1, pairedAt: 1, by: 'x' });
  await write('the word is none', GENERAL);
  // Else cards of texts to others go to the approver's private chat.
  await write('/memory open', GENERAL);
  await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, `/chats name ${MUM} mum`)));
});
afterAll(() => world?.stop());

const placed = (topic?: number): Partial<Message> =>
  topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true };
const write = (text: string, topic: number | undefined, from = OWNER) =>
  world.settled(signalIdOf(world.telegram.sendText(FORUM, from, text, placed(topic))));
const textsIn = (topic: number | undefined) =>
  world.telegram
    .sent(FORUM)
    .filter(({ message_thread_id: thread }) => thread === topic)
    .map(({ text = '' }) => text);
const buttonIn = async (topic: number, words: string, label: string) => {
  const message = await until(`a message with ${words}`, () =>
    world.telegram
      .sent(FORUM)
      .findLast(({ text = '', message_thread_id: thread }) => thread === topic && text.includes(words)),
  );
  const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label);
  return { message, data: button !== undefined && 'callback_data' in button ? button.callback_data : '' };
};
const stopOf = async (session: string) => (await loadHead(world.table, { space: 'default', session }))?.stoppedBecause;

describe('a topic of a forum group', () => {
  it('is a conversation of its own: it knows its own words, and answers in its place', async () => {
    await write('the word is spade', GARDEN);
    await write('the word is ladle', KITCHEN);
    const [garden, kitchen, general] = [
      await write('which words?', GARDEN),
      await write('which words?', KITCHEN),
      await write('which words?', GENERAL),
    ];
    expect([garden, kitchen, general].map(({ session }) => session)).toStrictEqual([
      `telegram:${FORUM}:${GARDEN}`,
      `telegram:${FORUM}:${KITCHEN}`,
      `telegram:${FORUM}`,
    ]);
    expect(PLACES.map((place) => textsIn(place).at(-1))).toStrictEqual([
      'I know: spade.',
      'I know: ladle.',
      'I know: none.',
    ]);
  });

  it('shows its card there, and the tap there sends once', async () => {
    await write('please tell mum that the roses bloom', GARDEN);
    const { message, data } = await buttonIn(GARDEN, 'the roses bloom', 'Approve');
    await world.settled(signalIdOf(world.telegram.tap(message.message_id, data, OWNER)));
    await until('it arrives', () => world.telegram.sent(MUM).length === 1);
    expect([KITCHEN, GENERAL].flatMap(textsIn).filter((text) => text.includes('roses'))).toStrictEqual([]);
  });

  it('offers choices that its person taps there', async () => {
    await write('red or blue', KITCHEN);
    const { message, data } = await buttonIn(KITCHEN, 'Which one?', 'Blue');
    world.telegram.tap(message.message_id, data, OWNER);
    await until('the tap is answered', () => textsIn(KITCHEN).at(-1)?.startsWith('I know: ladle'));
  });

  it('is stopped alone by a member, and goes on by an approver’s resume there', async () => {
    await write('STOP', KITCHEN, MEMBER);
    const sessions = [`telegram:${FORUM}:${GARDEN}`, `telegram:${FORUM}:${KITCHEN}`, `telegram:${FORUM}`];
    expect(await Promise.all(sessions.map(stopOf))).toStrictEqual([undefined, 'asked', undefined]);
    await write('/resume', KITCHEN);
    expect(await stopOf(`telegram:${FORUM}:${KITCHEN}`)).toBe(undefined);
    await write('which words?', KITCHEN);
    expect(textsIn(KITCHEN).at(-1)).toMatch(/^I know: ladle/);
  });

  it('ends with its group: a removed one loses the open cards of its topics', async () => {
    await write('please tell mum that it rains', KITCHEN);
    const { message, data } = await buttonIn(KITCHEN, 'it rains', 'Approve');
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, `/chats remove ${FORUM}`)));
    const approvals = await world.api<{ approvals: unknown[] }>('GET', '/api/approvals');
    expect(approvals.body.approvals).toStrictEqual([]);
    world.telegram.tap(message.message_id, data, OWNER);
    await until('the tap is refused', () =>
      world.telegram.calls.some(({ params }) => String(params.text ?? '').startsWith('This chat is not paired')),
    );
    expect(world.telegram.sent(MUM)).toHaveLength(1);
  });
});
