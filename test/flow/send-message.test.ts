/**
 * Texts and files to somebody else, by name: the owner names a chat, and then writes to it himself,
 * or says yes to a card on which the model wants to. Lost answers and words from outside count as
 * always.
 */
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { findUnaccounted } from '../support/evidence.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MUM, GROUP] = [7_101, 7_102, -7_103];
const SECRET = ['sk-proj-', 'Zk3vQ9xT7mB2nR5wL8cJ4hF6dS1gP0yU3aE9iO7tV5rX2bN4'].join('');
const because = { explanation: 'the owner asked for exactly this message' };

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const [, place, name = '', content = ''] = /file(?: to (\w+))?: (\S+) (.*)$/.exec(userTextOf(request)) ?? [];
  if (name !== '')
    return JSON.stringify(request.messages).includes('Your last answer was rejected')
      ? say('no file')
      : call('send-file', { name, content, ...(place === undefined ? {} : { to: place }), ...because });
  const [, code, output = '', as = '', whom] =
    /^run (.+) and send (\S+) as (\S+?)(?: to (\w+))?$/.exec(userTextOf(request)) ?? [];
  if (code !== undefined) {
    if (toolResultsOf(request).length === 0) return call('run-code', { language: 'javascript', code, ...because });
    const isRefused = JSON.stringify(request.messages).includes('Your last answer was rejected');
    const args = { name: as, output, ...(whom === undefined ? {} : { to: whom }) };
    return isRefused ? say('no file') : call('send-file', { ...args, ...because });
  }
  const [, to = '', text = ''] = /tell ([\w,]+) that (.*)$/.exec(userTextOf(request)) ?? [];
  if (to === '') return say('ok');
  const isTold = JSON.stringify(request.messages).includes('there is no place of this name');
  return isTold ? say('I know no such chat.') : call('send-message', { to, text, ...because });
};

const world = await startTestStack({ allowedChats: [OWNER, MUM, GROUP], approvers: [OWNER], script: answer });
afterAll(world.stop);

const filesTo = (chat: number) =>
  world.telegram.calls
    .filter(({ method, params }) => method === 'sendDocument' && String(params.chat_id) === String(chat))
    .map(({ params }) => params.document);
const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
const write = (text: string, chat = OWNER) => world.settled(signalIdOf(world.telegram.sendText(chat, OWNER, text)));
const command = async (text: string) => (await write(text)).replies.join('\n');

const tap = async (about: string, label: string) => {
  const card = await until('a card', () =>
    world.telegram
      .sent(OWNER)
      .findLast(({ text = '', reply_markup: keys }) => keys !== undefined && text.includes(about)),
  );
  const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label);
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
  await world.settled(signalIdOf(world.telegram.tap(card.message_id, data, OWNER)));
  return card.text ?? '';
};

describe('a text to somebody else', () => {
  it('needs a name that the owner gave', async () => {
    // A bot may not write to somebody who never wrote to it.
    await world.settled(signalIdOf(world.telegram.sendText(MUM, MUM, 'hi')));
    expect(await command('/send mum hello')).toContain('there is no place of this name; those are console');
    expect(await command(`/chats name ${MUM} Mum`)).toBe(
      `The chat ${MUM} is named mum. In a chat with me, /send mum <text> sends it a text.`,
    );
    expect(await command(`/chats name ${GROUP} console`)).toContain('console is the name of another place');
    expect(textsTo(MUM)).toStrictEqual(['ok']);
  });

  it('goes out once if its owner types it, and he hears that', async () => {
    await write('/send Mum I am late: ten minutes');
    await until('it arrives', () => textsTo(MUM).length > 1);
    expect(textsTo(MUM)).toStrictEqual(['ok', 'I am late: ten minutes']);
    await until('its sender hears it', () => textsTo(OWNER).includes('Sent.'));
    expect(await command('/send console a note to myself')).toContain('Sent.');
  });

  it('is no answer to whoever types it', async () => {
    await command(`/chats name ${OWNER} me`);
    expect(await command('/send me hello')).toContain('that is this very conversation');
  });

  it('is in doubt if its answer is lost, and is sent again by the button where it was asked for', async () => {
    const isLost = (text: string) => text === 'is this lost?';
    world.telegram.failNext('sendMessage', 'lost-answer');
    const view = await write('/send mum is this lost?');
    expect(view).toMatchObject({ effects: [{ state: 'unknown' }] });
    const doubt = await until('a question', () =>
      world.telegram.sent(OWNER).findLast(({ text = '' }) => text.includes('may not have arrived')),
    );
    expect(textsTo(MUM).filter(isLost)).toHaveLength(1);
    const [button] = doubt.reply_markup?.inline_keyboard.flat() ?? [];
    const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
    world.telegram.tap(doubt.message_id, data, OWNER);
    await until('it is sent again', () => textsTo(MUM).filter(isLost).length === 2);
  });

  it('waits for a yes if the model wants it, on a card that names the chat', async () => {
    const view = await write('please tell mum that dinner is at eight');
    expect(view.state).toBe('suspended');
    const card = await tap('dinner is at eight', 'Approve');
    expect(card).toContain('This chat is named mum.');
    expect(card).toContain('Send this text to the Telegram chat');
    await until('it arrives', () => textsTo(MUM).includes('dinner is at eight'));
    expect(textsTo(MUM).filter((text) => text === 'dinner is at eight')).toHaveLength(1);
    await write('please tell mum that nobody pays');
    await tap('nobody pays', 'Deny');
    await write('please tell mum that all is well, and wait');
    expect(textsTo(MUM)).not.toContain('nobody pays');
    expect(textsTo(MUM).some((text) => text.startsWith('all is well'))).toBe(false);
  });

  it('is told to the model as impossible where no chat has the name', async () => {
    expect((await write('please tell dad that hello')).replies).toStrictEqual(['I know no such chat.']);
  });

  it('goes to several in one decision, and a lost answer repeats no other', async () => {
    await command(`/chats name ${GROUP} group`);
    world.telegram.openChat(GROUP);
    world.telegram.failNext('sendMessage', 'lost-answer');
    const view = await write('/send mum,Group,mum dinner is ready');
    expect(view.effects.map(({ state }) => state)).toStrictEqual(['unknown', 'done']);
    const timesTo = (chat: number) => textsTo(chat).filter((text) => text === 'dinner is ready').length;
    expect([MUM, GROUP].map(timesTo)).toStrictEqual([1, 1]);
    expect(textsTo(OWNER)).toContain(`Sent to ${GROUP}.`);
    expect(await command('/send mum,dad x')).toContain('there is no place of this name');
    expect((await write('please tell mum,group that we eat')).state).toBe('suspended');
    expect(await tap('“we eat”', 'Approve all')).toMatch(new RegExp(`${MUM}[^]*${GROUP}`));
    await until('both arrive', () => [MUM, GROUP].every((chat) => textsTo(chat).includes('we eat')));
  });

  it('goes to all chats of one name, each once', async () => {
    expect(await command(`/chats name mum,${GROUP},mum family`)).toBe(
      `The chats ${MUM}, ${GROUP} are named family. In a chat with me, /send family <text> sends each of them a text.`,
    );
    const timesTo = (chat: number) => textsTo(chat).filter((text) => text === 'to all').length;
    world.telegram.failNext('sendMessage', 'lost-answer');
    const view = await write('/send family,mum to all');
    expect(view.effects.map(({ state }) => state)).toStrictEqual(['unknown', 'done']);
    expect([MUM, GROUP].map(timesTo)).toStrictEqual([1, 1]);
    expect((await write('please tell family that we leave')).state).toBe('suspended');
    await tap('“we leave”', 'Approve all');
    await until('both arrive', () => [MUM, GROUP].every((chat) => textsTo(chat).includes('we leave')));
    expect(await command('/chats mute family off')).toContain('family is the name of several chats');
    const many = Array.from({ length: 11 }, (_, n) => n + 1).join();
    expect(await command(`/chats name ${many} many`)).toContain('a name is of at most 10 chats');
    expect(await command('/send mum still mum')).toContain('Sent.');
  });
});

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
    expect(filesTo(MUM)).toStrictEqual([]);
    expect(await tap('list.txt', 'Approve')).toMatch(
      /^Send the file list\.txt \(4 bytes, text\/plain, SHA-256 [0-9a-f]{64}\) to the Telegram/,
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
    const doubts = () => textsTo(OWNER).filter((text) => text.includes('may not have arrived')).length;
    const before = [filesTo(OWNER).length, doubts()] as const;
    world.telegram.failNext('sendDocument', 'lost-answer');
    const view = await write('file: lost.txt milk');
    expect(view.effects).toMatchObject([{ state: 'unknown' }]);
    await until('it is told', () => doubts() > before[1]);
    expect(filesTo(OWNER)).toHaveLength(before[0] + 1);
  });
});

describe('the output of a tool', () => {
  const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="4" height="9"/></svg>';
  /** The owner says yes to the program. */
  const run = async (words: string) => {
    const { id } = await write(words);
    await tap('Run this program', 'Approve');
    return world.settled(id);
  };
  const drawn = `run ${JSON.stringify(DRAWING)}`;

  it.each([
    ['a drawing', `${drawn} and send run-code as chart.svg`, 'chart.svg', DRAWING],
    [
      'a table',
      "run 'day,cups' + String.fromCharCode(10) + '1,2' and send run-code as a.csv",
      'a.csv',
      'day,cups\n1,2',
    ],
    ['a long text, whole', "run 'tea '.repeat(6000) and send run-code as a.txt", 'a.txt', 'tea '.repeat(6000)],
  ])('goes as a file that the model did not write: %s', async (_what, words, name, text) => {
    const before = filesTo(OWNER).length;
    await run(words);
    await until('it arrives', () => filesTo(OWNER).length > before);
    expect(filesTo(OWNER).slice(before)).toMatchObject([{ file_name: name, text }]);
  });

  it('goes to somebody else after a yes, on a card with its hash', async () => {
    const before = filesTo(MUM).length;
    await run(`${drawn} and send run-code as cups.svg to mum`);
    const card = await tap('Send the file cups.svg', 'Approve');
    const hash = createHash('sha256').update(DRAWING).digest('hex');
    expect(card).toContain(`cups.svg (${DRAWING.length} bytes, image/svg+xml, SHA-256 ${hash})`);
    await until('it arrives', () => filesTo(MUM).length > before);
    expect(filesTo(MUM).slice(before)).toMatchObject([{ file_name: 'cups.svg', text: DRAWING }]);
  });

  it.each([
    [
      'what is marked private for somebody else',
      "run 'my weight ' + String.fromCharCode(64) + 'personal' and send run-code as a.txt to mum",
    ],
    ['more than a file takes', "run 'tea '.repeat(9000) and send run-code as a.txt"],
    ['a tool that gave nothing', `run 1 and send read-file as a.txt`],
    ['a drawing that runs', "run '<svg ><script>1</script></svg>' and send run-code as a.svg"],
  ])('is not sent with %s', async (_what, words) => {
    const before = [filesTo(OWNER).length, filesTo(MUM).length];
    await run(words);
    await until('it is refused', () => /^(?:no file$|I could not do that)/.test(textsTo(OWNER).at(-1) ?? ''));
    expect([filesTo(OWNER).length, filesTo(MUM).length]).toStrictEqual(before);
  });
});

describe('a name', () => {
  it('ends, and nothing goes there any more', async () => {
    expect(await command('/chats unname mum')).toBe('No chat is named mum any more.');
    expect(await command('/send mum again')).toContain('there is no place of this name');
    expect(textsTo(MUM).filter((text) => text === 'again')).toStrictEqual([]);
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
