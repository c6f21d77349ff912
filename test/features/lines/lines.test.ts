/** The reasons of an answer in a Telegram chat: a line below it, or behind the tap of a button. */
import { afterAll, describe, expect, it } from 'vitest';
import { GATES } from '../../../lib/core/gates/engine/gate-set.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { BOT_ID, signalIdOf, startTestStack, until } from '../../support/stack.ts';

const [OWNER, MEMBER, GROUP, OTHER] = [7_451, 7_452, -7_453, 7_454];

/** Keeps a note for "keep …", and answers. */
const script = (request: ModelServerRequest) =>
  userTextOf(request).includes('keep') && toolResultsOf(request).length === 0
    ? call('remember', { text: 'The bike is blue.', explanation: 'the owner asked to keep it' })
    : say('Four.');

const world = await startTestStack({ allowedChats: [OWNER, GROUP, OTHER], approvers: [OWNER], script });
afterAll(world.stop);

const write = async (text: string, chat = OWNER, from = OWNER) =>
  (await world.settled(signalIdOf(world.telegram.sendText(chat, from, text)))).replies.join();

const newest = (chat = OWNER) => world.telegram.sent(chat).at(-1);
const buttonsOf = (message = newest()) =>
  (message?.reply_markup?.inline_keyboard ?? [])
    .flat()
    .map((key) => [key.text, 'callback_data' in key ? key.callback_data : '']);

/** Gives what Telegram shows for the tap. @param data of another button than the message has */
const tap = async (data: string, by = OWNER, message = newest(), language = 'en') => {
  const person = { id: by, is_bot: false, first_name: 'P', language_code: language };
  const { callback_query: query } = world.telegram.tap(message?.message_id ?? 0, data, person);
  const answer = await until('the tap is answered', () =>
    world.telegram.calls.find(
      ({ method, params }) => method === 'answerCallbackQuery' && params.callback_query_id === query?.id,
    ),
  );
  return String(answer.params.text ?? '');
};

const GONE = 'The record of this answer is gone, so nobody can say why any more.';
const FIGURES = `\\S+ · ${GATES.length} rules checked · \\$0\\.\\d+`;

describe('the button below an answer', () => {
  it('stands below an answer after work, in the same message, and below no other', async () => {
    expect(await write('what is two and two?')).toBe('Four.');
    expect(buttonsOf()).toStrictEqual([]);
    const before = world.telegram.calls.length;
    await write('keep that the bike is blue');
    const calls = world.telegram.calls.slice(before).map(({ method }) => method);
    expect(calls.filter((method) => method !== 'sendChatAction' && method !== 'getUpdates')).toStrictEqual([
      'sendMessage',
    ]);
    const [[words, data = ''] = []] = buttonsOf();
    expect(words).toBe('Why?');
    expect(data).toMatch(/^w:tg-\d+-\d+\/\d+$/);
    expect(data.length).toBeLessThanOrEqual(64);
  });

  it('shows the line, as often as it is tapped, and changes nothing', async () => {
    const [[, data = ''] = []] = buttonsOf();
    const before = world.telegram.sent(OWNER).length;
    const line = await tap(data);
    expect(line).toMatch(new RegExp(`^${FIGURES} · /why · /output$`));
    expect(await tap(data)).toBe(line);
    expect(world.telegram.sent(OWNER)).toHaveLength(before);
    const { body } = await world.api<{ signals: { id: string }[] }>('GET', '/api/signals?limit=100');
    const taps = world.telegram.calls.filter(({ method }) => method === 'answerCallbackQuery').length;
    expect(taps).toBe(2);
    expect(body.signals.every(({ id }) => !id.includes('why'))).toBe(true);
  });

  it('names the object in focus, and is in the language of the chat', async () => {
    const [[, data = ''] = []] = buttonsOf();
    const message = newest();
    const [, id = ''] = /\b([0-9a-f]{8})\b/.exec(await write('/memory')) ?? [];
    await write(`/focus ${id}`);
    expect(await tap(data, OWNER, message)).toContain(` · in focus: ${id} · `);
    await write('/language de');
    await write('keep that the bike is blue');
    expect(buttonsOf().map(([words]) => words)).toStrictEqual(['Warum?']);
    expect(await tap(buttonsOf()[0]?.[1] ?? '')).toMatch(
      new RegExp(`^\\S+ · ${GATES.length} Regeln geprüft · \\S+ · im Blick: ${id} · /why · /output$`),
    );
    await write('/focus off');
    await write('/language en');
  });

  it('shows nothing to others, of other chats, and of answers that are gone', async () => {
    world.telegram.sendText(GROUP, MEMBER, 'hello');
    await write('keep that the bike is blue', GROUP);
    const message = newest(GROUP);
    const [[, data = ''] = []] = buttonsOf(message);
    expect(await tap(data, MEMBER, message)).toBe('Only an approver may see why.');
    expect(await tap(data, MEMBER, message, 'de')).toBe('Das Warum darf nur eine freigebende Person sehen.');
    expect(await tap(data, OWNER, message)).toMatch(new RegExp(FIGURES));
    await write('keep that the bike is blue');
    // Made-up data: an answer of another chat, none at all, and no id.
    for (const other of [data, `w:tg-${BOT_ID}-1`, 'w:con-1', 'w:../../x']) expect(await tap(other)).toBe(GONE);
    expect(await tap(`w:${'x'.repeat(63)}`)).toBe('This button is not one of mine, so it does nothing.');
  });

  it('goes where a chat chose something else', async () => {
    expect(await write('/lines off')).toContain('without that line and without its button');
    await write('keep that the bike is blue');
    expect(buttonsOf()).toStrictEqual([]);
    expect(await write('/lines tap')).toContain('the button “Why?” below my answer shows why');
    await write('keep that the bike is blue');
    expect(buttonsOf().map(([words]) => words)).toStrictEqual(['Why?']);
  });
});

it('stands below each answer of the chat from /lines on until /lines off, in its language', async () => {
  expect(await write('what is two and two?')).toBe('Four.');
  expect(await write('/lines on')).toContain('Below my answers in this chat one line says');
  expect(await write('what is two and two?')).toMatch(new RegExp(`^Four\\.\n\n${FIGURES}$`));
  expect(await write('keep that the bike is blue')).toMatch(new RegExp(`^Four\\.\n\n${FIGURES} · /output$`));
  expect(buttonsOf()).toStrictEqual([]);
  await write('/language de');
  expect(await write('what is two and two?')).toContain(` · ${GATES.length} Regeln geprüft · `);
  expect(await write('/lines off')).toContain('Meine Antworten kommen ohne diese Zeile');
  expect(await write('what is two and two?')).toBe('Four.');
});
