/** Files that the model sends, on the real stack: to whoever asked, or by name after a yes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnaccounted } from '../support/evidence.ts';
import { call, say, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [OWNER, MUM] = [7_201, 7_202];
const SECRET = ['sk-proj-', 'Zk3vQ9xT7mB2nR5wL8cJ4hF6dS1gP0yU3aE9iO7tV5rX2bN4'].join('');

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER, MUM],
    approvers: [OWNER],
    script: (request) => {
      const [, to, name = '', content = ''] = /file(?: to (\w+))?: (\S+) (.*)$/.exec(userTextOf(request)) ?? [];
      const isRefused = JSON.stringify(request.messages).includes('Your last answer was rejected');
      if (name === '' || isRefused) return say('no file');
      const args = { name, content, ...(to === undefined ? {} : { to }) };
      return call('send-file', { ...args, explanation: 'the owner asked for exactly this file' });
    },
  });
  await world.settled(signalIdOf(world.telegram.sendText(MUM, MUM, 'hi')));
  await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, `/chats name ${MUM} mum`)));
});
afterAll(() => world?.stop());

const write = (text: string) => world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)));
const filesTo = (chat: number) =>
  world.telegram.calls
    .filter(({ method, params }) => method === 'sendDocument' && String(params.chat_id) === String(chat))
    .map(({ params }) => params.document);
const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);

describe('a file', () => {
  it.each([
    ['a.csv', 'text/csv'],
    ['my-plan_2.md', 'text/markdown'],
    ['a.txt', 'text/plain'],
  ])('goes to whoever asked, whole and once: %s', async (name, type) => {
    const before = filesTo(OWNER).length;
    await write(`file: ${name} day,cups Ü`);
    expect(filesTo(OWNER).slice(before)).toStrictEqual([
      { file_name: name, mime_type: expect.stringContaining(type), text: 'day,cups Ü' },
    ]);
  });

  it('goes to somebody else after a yes, on a card with name, size, type and hash', async () => {
    await write('file to mum: list.txt milk');
    const card = await until('a card', () =>
      world.telegram.sent(OWNER).findLast(({ text = '' }) => text.includes('list.txt')),
    );
    expect(card.text).toMatch(
      /^Send the file list\.txt \(4 bytes, text\/plain, SHA-256 [0-9a-f]{64}\) to the Telegram/,
    );
    expect(filesTo(MUM)).toStrictEqual([]);
    const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Approve');
    world.telegram.tap(
      card.message_id,
      button !== undefined && 'callback_data' in button ? button.callback_data : '',
      OWNER,
    );
    await until('it arrives', () => filesTo(MUM).length > 0);
    expect(filesTo(MUM)).toStrictEqual([{ file_name: 'list.txt', mime_type: 'text/plain', text: 'milk' }]);
  });

  it.each([
    ['a secret in it', `file: a.txt ${SECRET}`],
    ['a secret as its name', `file: ${SECRET}.txt milk`],
    ['what is marked private for somebody else', 'file to mum: a.txt my weight @personal'],
    ['a path', 'file: ../a.txt milk'],
    ['another type', 'file: a.exe milk'],
    ['a place that has no name', 'file to dad: a.txt milk'],
  ])('is not sent with %s', async (_name, words) => {
    const before = [filesTo(OWNER).length, filesTo(MUM).length];
    expect((await write(words)).state).not.toBe('suspended');
    expect([filesTo(OWNER).length, filesTo(MUM).length]).toStrictEqual(before);
  });

  it('is in doubt if its answer is lost, and is not sent again', async () => {
    const before = filesTo(OWNER).length;
    world.telegram.failNext('sendDocument', 'lost-answer');
    const view = await write('file: lost.txt milk');
    expect(view.effects).toMatchObject([{ state: 'unknown' }]);
    await until('it is told', () => textsTo(OWNER).some((text) => text.includes('may not have arrived')));
    expect(filesTo(OWNER)).toHaveLength(before + 1);
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
