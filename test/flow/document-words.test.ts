/**
 * The words of a document that is sent on, on the real stack: they are judged as those of a text
 * file would be, by Reason and again by Act.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentWords } from '../../lib/core/signal/picture.ts';
import { docx, paragraph, pdf } from '../support/documents.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { call, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [OWNER, MUM] = [2_601, 2_602];
const SECRET = ['sk-proj-', 'Zk3vQ9xT7mB2nR5wL8cJ4hF6dS1gP0yU3aE9iO7tV5rX2bN4'].join('');

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER, MUM],
    approvers: [OWNER],
    script: (request) => {
      const [, to, name = '', content] = /send to (\w+) as (\S+): (.*)$/.exec(userTextOf(request)) ?? [];
      const isRefused = JSON.stringify(request.messages).includes('Your last answer was rejected');
      const args = { name, content, ...(to === 'me' ? {} : { to }) };
      return to === undefined || isRefused
        ? say('no file')
        : call('send-file', { ...args, explanation: 'the owner asked for exactly this file' });
    },
  });
  await write({ text: 'hi' }, MUM);
  await write({ text: `/chats name ${MUM} mum` });
});
afterAll(() => world?.stop());

const write = (fields: object, person = OWNER) =>
  world.settled(signalIdOf(world.telegram.sendMessage(person, person, fields)));
const texts = () => world.telegram.sent(OWNER).map(({ text = '' }) => text);
const filesTo = (chat: number) =>
  world.telegram.calls.filter(
    ({ method, params }) => method === 'sendDocument' && String(params.chat_id) === String(chat),
  ).length;
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const textFile = (bytes: Buffer) => join(world.dataDir, 'contents', 'default', `${hashOf(bytes)}.text`);

/** A person sends it, and later asks for it to be sent on. */
const bring = async (bytes: Buffer) => {
  const isPdf = bytes.subarray(0, 4).toString() === '%PDF';
  const file = { file_id: world.telegram.addFile(bytes), file_unique_id: 'd', file_name: 'a file' };
  await write({ document: file, caption: 'what is it?' });
  const words = documentWords(isPdf ? 'pdf' : 'zip', bytes.length, hashOf(bytes));
  return async (to: string) => write({ text: `send to ${to} as a.${isPdf ? 'pdf' : 'docx'}: ${words}` });
};
const whyOf = async ({ id }: { readonly id: string }) =>
  JSON.stringify((await world.api('GET', `/api/signals/${id}/evidence`)).body);
const approve = async () => {
  const card = await until('a card', () =>
    world.telegram.sent(OWNER).findLast(({ reply_markup: keys }) => keys !== undefined),
  );
  const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Approve');
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
  await world.settled(signalIdOf(world.telegram.tap(card.message_id, data, OWNER)));
};

describe('a document that is sent on', () => {
  it.each<[string, string, string, number]>([
    ['what is marked private', 'my weight @personal', 'the document holds what is marked private', 1],
    ['a configured secret', APPROVER_TOKEN, 'it holds the value of a configured secret: APPROVER_TOKEN in text', 0],
    ['what looks like a secret', SECRET, 'the document holds what looks like a secret', 0],
  ])('does not go to others with %s in it', async (_what, words, why, back) => {
    const asPdf = await bring(pdf([`Tea 4.10 ${words}`]));
    for (const send of [asPdf, await bring(docx(paragraph(`Tea 4.10 ${words}`)))]) {
      const refused = await send('mum');
      expect(refused.state).not.toBe('suspended');
      expect(await whyOf(refused)).toContain(why);
    }
    expect(filesTo(MUM)).toBe(0);
    // Whoever sent it may have it back, unless it holds a secret.
    const before = filesTo(OWNER);
    await asPdf('me');
    expect(filesTo(OWNER)).toBe(before + back);
  });

  it('is judged at the last moment too, and read again if its words are not kept', async () => {
    const bytes = pdf(['Tea 4.10, and my height @personal']);
    const send = await bring(bytes);
    expect(readFileSync(textFile(bytes), 'utf8')).toContain('my height @personal');
    rmSync(textFile(bytes));
    const { id, state } = await send('mum');
    expect(state).toBe('suspended');
    await approve();
    await until('a reason', () => texts().some((text) => text.includes('the document holds what is marked private')));
    await world.settled(id);
    expect(filesTo(MUM)).toBe(0);
    expect(readFileSync(textFile(bytes), 'utf8')).toContain('my height @personal');
  });

  it('is refused with one sentence if its words are gone and it cannot be read again', async () => {
    // Its first bytes say PDF, and the rest says nothing.
    const bytes = Buffer.from(`%PDF-1.7\n${'x'.repeat(200)}`);
    const folder = join(world.dataDir, 'contents', 'default');
    writeFileSync(join(folder, hashOf(bytes)), bytes);
    const { id } = await write({ text: `send to mum as a.pdf: ${documentWords('pdf', bytes.length, hashOf(bytes))}` });
    await approve();
    await until('a reason', () => texts().some((text) => text.includes('the document cannot be read: ')));
    expect((await world.settled(id)).state).not.toBe('dead-lettered');
    const told = texts().filter((text) => text.includes('the document cannot be read: '));
    // The other one is the card, which says how it ended.
    expect(told.filter((text) => !text.startsWith('Send the file a.pdf'))).toHaveLength(1);
    expect(filesTo(MUM)).toBe(0);
  });

  it('is refused with one sentence if its bytes are not what its name says', async () => {
    const bytes = pdf(['Tea 4.30']);
    const send = await bring(bytes);
    writeFileSync(join(world.dataDir, 'contents', 'default', hashOf(bytes)), 'damaged');
    const { id } = await send('mum');
    await approve();
    await until('a reason', () => texts().some((text) => text.includes('the file is gone')));
    expect((await world.settled(id)).state).not.toBe('dead-lettered');
    expect(filesTo(MUM)).toBe(0);
  });

  it('goes to others after a yes if its words may', async () => {
    const { id } = await (await bring(pdf(['Tea 4.10'])))('mum');
    await approve();
    await until('it arrives', () => filesTo(MUM) > 0);
    await world.settled(id);
    expect(filesTo(MUM)).toBe(1);
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
