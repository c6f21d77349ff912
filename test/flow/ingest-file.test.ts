/** `/ingest` of a file, on the real stack: its text is kept after a yes, as words of others. */

import type { Message } from 'grammy/types';
import { afterAll, describe, expect, it } from 'vitest';
import { FEATURES } from '../../lib/features/features.ts';
import { menuFor } from '../../lib/features/telegram/menu.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER, GROUP] = [2701, 2702, -2703];

const world = await startTestStack({
  allowedChats: [OWNER, GROUP],
  approvers: [OWNER],
  environment: { TRANSCRIPTION_MODEL: 'gpt-transcribe' },
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
const file = (text: string | Buffer, file_name = 'a.txt') => ({
  document: { file_id: world.telegram.addFile(Buffer.from(text)), file_unique_id: 'd', file_name },
});
interface Kept {
  readonly id: string;
  readonly type: string;
  readonly title?: string;
  readonly content?: string;
  readonly origin: string;
}
const kept = async () => (await world.api<{ objects: readonly Kept[] }>('GET', '/api/memory/objects')).body.objects;

/** Those that were not there before. */
const newOf = async (before: readonly Kept[]) =>
  (await kept()).filter(({ id }) => before.every((one) => one.id !== id));

/** Sends it, and gives what the chat shows, with the buttons of a card. */
const send = async (fields: object, from = OWNER, chat = OWNER) => {
  const before = textsTo(chat).length;
  const asked = world.model.requests.length;
  const { id } = await world.settled(signalIdOf(world.telegram.sendMessage(chat, from, fields as Partial<Message>)));
  const card = world.telegram.sent(chat).findLast(({ reply_markup: markup }) => markup !== undefined);
  const keys = card?.reply_markup?.inline_keyboard.flat() ?? [];
  const tap = async (words: string) => {
    const key = keys.find(({ text }) => text === words);
    if (card === undefined || key === undefined || !('callback_data' in key)) throw new Error('no card');
    await world.settled(signalIdOf(world.telegram.tap(card.message_id, key.callback_data, from)));
    await until('the answer', () => textsTo(chat).at(-1) !== card.text);
  };
  return { id, texts: () => textsTo(chat).slice(before), tap, asked: () => world.model.requests.length - asked };
};

describe('/ingest of a file', () => {
  it('is a command of the menu in private chats, which says how it is given', async () => {
    const inMenuOf = (standing: 'approver' | 'anyone') =>
      menuFor(FEATURES, standing).some(({ command }) => command === 'ingest');
    expect([inMenuOf('approver'), inMenuOf('anyone')]).toStrictEqual([true, false]);
    expect((await send({ text: '/ingest' })).texts()).toStrictEqual([
      'Send /ingest as the caption of a file, or as a reply to one: its text is kept in memory, after your yes.',
    ]);
  });

  it('asks first, then keeps the text as words of others, and asks no model', async () => {
    const before = await kept();
    const { texts, tap, asked } = await send({ ...file('tea at four', 'plan.txt'), caption: '/ingest' });
    expect(texts()).toStrictEqual([
      expect.stringContaining('Keep the text of the file “plan.txt” in memory, as words of others'),
    ]);
    expect(await newOf(before)).toStrictEqual([]);
    await tap('Approve');
    await until('it is kept', async () => (await newOf(before)).length === 1);
    expect((await newOf(before))[0]).toMatchObject({ content: 'tea at four', origin: 'outside', type: 'document' });
    await until('it is said', () => texts().some((text) => /Kept as [0-9a-f]{8}\./.test(text)));
    expect(asked()).toBe(0);
  });

  it('keeps nothing without a yes', async () => {
    const before = await kept();
    const { tap, texts, asked } = await send({ ...file('not this'), caption: '/ingest' });
    await tap('Deny');
    await until('it ends', () => texts().length >= 2);
    expect(texts()[1]).toBe('Denied: Keep the text of the file “a.txt” in memory, as words of others');
    expect(asked()).toBe(0);
    expect(await newOf(before)).toStrictEqual([]);
  });

  it('keeps the file that it replies to, and the same text once', async () => {
    const replied = {
      message_id: 7,
      date: 1,
      from: { id: MEMBER, is_bot: false, first_name: 'M' },
      ...file('one day'),
    };
    const before = await kept();
    for (let n = 0; n < 2; n += 1) {
      const { tap, texts } = await send({ text: '/ingest', reply_to_message: replied });
      await tap('Approve');
      await until('it is said', () => texts().some((text) => text.includes('Kept as')));
    }
    expect(await newOf(before)).toMatchObject([{ content: 'one day', origin: 'outside' }]);
  });

  it('keeps a long text whole, in pieces', async () => {
    const lines = Array.from({ length: 4_000 }, (_, n) => `line ${n} of a book`).join('\n');
    const before = await kept();
    const { tap, texts } = await send({ ...file(lines, 'book.txt'), caption: '/ingest' });
    await tap('Approve');
    await until('it is said', () => texts().some((text) => text.includes('Kept as')));
    const pieces = (await newOf(before)).filter(({ type }) => type === 'note');
    expect(
      pieces
        .map(({ content }) => content)
        .toSorted()
        .join('').length,
    ).toBe(lines.length);
    expect(pieces.every(({ origin }) => origin === 'outside')).toBe(true);
  });

  it.each<[string, () => object, RegExp]>([
    ['a picture', () => file(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')), /no model here is shown pictures/],
    ['bytes that are no text', () => file(Buffer.from([0, 1, 2])), /it is no text/],
    ['a file that is gone', () => ({ document: { file_id: 'AAgone', file_unique_id: 'd' } }), /does not give the file/],
  ])('says in one sentence why it keeps nothing: %s', async (_name, fields, why) => {
    const { texts, asked } = await send({ ...fields(), caption: '/ingest' });
    expect(texts()).toStrictEqual([expect.stringMatching(why)]);
    expect(asked()).toBe(0);
  });

  it.each<[string, number, object]>([
    ['somebody who may not', MEMBER, {}],
    ['a forward', OWNER, { forward_origin: { type: 'hidden_user', sender_user_name: 'H', date: 1 } }],
  ])('is none in the words of %s', async (_name, from, fields) => {
    const before = await kept();
    const { texts } = await send({ ...file('theirs'), caption: '/ingest', ...fields }, from, GROUP);
    expect(texts().some((text) => text.includes('Keep the text'))).toBe(false);
    expect(await newOf(before)).toStrictEqual([]);
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
