/**
 * Pictures and documents sent to a Telegram chat, on the real stack: named by the hash of their
 * bytes, shown to a model that takes them, sent on, kept in the content store alone, and erased
 * with their turn.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from 'grammy/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docx, paragraph, pdf } from '../support/documents.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { call, say, startModelServer, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MUM] = [2501, 2502];
const PNG = Buffer.from('\x89PNG\r\n\x1a\n a cat', 'latin1');
const JPEG = Buffer.from('\xff\xd8\xff\xe0 a bill', 'latin1');
const WEBP = Buffer.from('RIFF\x10\0\0\0WEBP a dog', 'latin1');

const model = await startModelServer((request) => {
  const { messages } = request;
  const said = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).slice(-2);
  const failing = [...said.join('\n').matchAll(/it fails with (\d+)/g)].at(-1)?.[1];
  if (failing !== undefined && request.pictures.length > 0) return { kind: 'status', status: Number(failing) };
  const [, to, name] =
    [...said.join('\n').matchAll(/send th(?:is|at) (?:photo|file) to (\w+) as ([\w.]+)/g)].at(-1) ?? [];
  const content = JSON.stringify(messages)
    .match(/\[a (picture|document), \w+\/\w+,( \d+ bytes,)? [0-9a-f]{64}\]/g)
    ?.at(-1);
  const isRefused = JSON.stringify(messages).includes('Your last answer was rejected');
  if (name !== undefined && content !== undefined && !isRefused)
    return call('send-file', { name, content, to, explanation: 'the owner asked for exactly this' });
  return say(`I see ${request.pictures.length} of ${userTextOf(request).slice(0, 60)}`);
});
const world = await startTestStack({
  model,
  allowedChats: [OWNER, MUM],
  approvers: [OWNER],
  environment: {
    PROVIDERS: JSON.stringify({
      blind: { baseUrl: model.baseUrl, model: 'blind', prices: { prompt: 1, completion: 1 } },
      seeing: { baseUrl: model.baseUrl, model: 'seeing', images: true, prices: { prompt: 1, completion: 1 } },
    }),
    OPENAI_BASE_URL: undefined,
    OPENAI_MODEL: undefined,
    PROVIDER_CASCADE: 'blind,seeing',
  },
});
afterAll(async () => {
  await world.stop();
  await model.close();
});

const photo = (bytes: Buffer) => ({
  photo: [
    { file_id: 'AAsmall', file_unique_id: 's', width: 90, height: 90 },
    { file_id: world.telegram.addFile(bytes), file_unique_id: 'l', width: 1280, height: 960 },
  ],
});
const document = (bytes: Buffer, file_name = 'a.txt') => ({
  document: { file_id: world.telegram.addFile(bytes), file_unique_id: 'd', file_name, mime_type: 'text/plain' },
});
const send = async (fields: object) => {
  const before = world.telegram.sent(OWNER).length;
  const view = await world.settled(signalIdOf(world.telegram.sendMessage(OWNER, OWNER, fields as Partial<Message>)));
  const texts = world.telegram
    .sent(OWNER)
    .slice(before)
    .map(({ text = '' }) => text);
  return { id: view.id, texts, asked: model.requests.at(-1) };
};
const kept = () => readdirSync(join(world.dataDir, 'contents', 'default')).sort();

describe('a picture', () => {
  it.each<[string, () => object, string, Buffer]>([
    ['a photo in its largest size', () => ({ ...photo(PNG), caption: 'my cat?' }), 'png', PNG],
    ['a JPEG sent as a file of text', () => ({ ...document(JPEG), caption: 'the bill?' }), 'jpeg', JPEG],
    ['a WebP sent as a file', () => ({ ...document(WEBP, 'a.webp'), caption: 'what is it?' }), 'webp', WEBP],
  ])('is shown to the model that takes pictures: %s', async (_name, fields, type, bytes) => {
    const { id, texts, asked } = await send(fields());
    expect(texts).toStrictEqual([expect.stringContaining('I see 1 of')]);
    expect(asked?.model).toBe('seeing');
    expect(asked?.pictures).toStrictEqual([`data:image/${type};base64,${bytes.toString('base64')}`]);
    const { body } = await world.api<{ decision: { actions: readonly { facts: readonly { origin: string }[] }[] } }>(
      'GET',
      `/api/signals/${id}/1/evidence`,
    );
    expect(body.decision.actions[0]?.facts.at(-1)?.origin).toBe('outside');
  });

  it('is answered in one sentence, and nothing stays reserved, if its provider does not take it', async () => {
    const spent = async () => {
      const day = (await world.scan()).find(({ pk }) => String(pk).startsWith('spend#default#20'));
      const reserved = Object.entries(day ?? {}).flatMap(([name, kept]) =>
        name.startsWith('s_') ? [/",(\d+),/.exec(String(kept))?.[1]] : [],
      );
      return { usd: day?.usd, reserved };
    };
    const before = await spent();
    const { texts } = await send({ ...photo(PNG), caption: 'it fails with 400' });
    expect(texts).toStrictEqual([
      expect.stringMatching(/^No language model could answer just now, so nothing was done\./),
    ]);
    expect(await spent()).toStrictEqual({ ...before, reserved: ['0'] });
  });

  it('lies in the content store alone', async () => {
    const items = JSON.stringify(await world.scan());
    expect(kept().length).toBeGreaterThanOrEqual(3);
    for (const bytes of [PNG, JPEG, WEBP]) expect(items).not.toContain(bytes.toString('base64'));
  });
});

describe('a picture that is sent on', () => {
  const hash = createHash('sha256').update(PNG).digest('hex');
  const filesTo = (chat: number) =>
    world.telegram.calls
      .filter(({ method, params }) => method === 'sendDocument' && String(params.chat_id) === String(chat))
      .map(({ params }) => params.document);
  const tap = async (words: string) => {
    const card = await until('a card', () =>
      world.telegram.sent(OWNER).findLast(({ text = '', reply_markup: keys }) => keys && text.includes(words)),
    );
    const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Approve');
    const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
    await world.settled(signalIdOf(world.telegram.tap(card.message_id, data, OWNER)));
    return card.text ?? '';
  };
  const bill = pdf(['Tea 4.10']);
  const file = (name: string) => ({ file_name: name, mime_type: 'image/png', text: new TextDecoder().decode(PNG) });
  beforeAll(async () => {
    await world.settled(signalIdOf(world.telegram.sendText(MUM, MUM, 'hi')));
    await send({ text: `/chats name ${MUM} mum` });
  });

  it('goes to a chat by name after a yes, whole, on a card that shows its hash', async () => {
    await send({ ...photo(PNG), caption: 'send this photo to mum as cat.png' });
    expect(await tap('cat.png')).toContain(`Send the file cat.png (image/png, SHA-256 ${hash}) to the Telegram chat`);
    await until('it arrives', () => filesTo(MUM).length > 0);
    expect(filesTo(MUM)).toStrictEqual([file('cat.png')]);
  });

  it('goes there in a later turn too', async () => {
    await send({ text: 'send that photo to mum as again.png' });
    await tap('again.png');
    await until('it arrives', () => filesTo(MUM).length > 1);
    expect(filesTo(MUM).at(-1)).toStrictEqual(file('again.png'));
  });

  it.each(['cat.jpg', 'cat.txt.exe', 'cat.pdf'])('does not go under a name of another type: %s', async (name) => {
    expect((await send({ text: `send that photo to mum as ${name}` })).texts.join()).not.toContain('Send the file');
    expect(filesTo(MUM)).toHaveLength(2);
  });

  it('does not go once it is gone, and the owner reads why', async () => {
    await send({ text: 'send that photo to mum as late.png' });
    rmSync(join(world.dataDir, 'contents', 'default', hash));
    await tap('late.png');
    await until('a reason', () =>
      world.telegram.sent(OWNER).some(({ text = '' }) => text.includes('the file is gone: one is kept for 30 days')),
    );
    expect(filesTo(MUM)).toHaveLength(2);
  });

  it.each<[string, Buffer, string]>([
    ['bill.pdf', bill, 'application/pdf'],
    ['bill2.docx', docx(paragraph('Tea 4.10')), 'application/zip'],
  ])('is a document too, with name, size and hash on its card: %s', async (name, bytes, type) => {
    await send({ ...document(bytes, 'a file of mine'), caption: 'what is it?' });
    await send({ text: `send that file to mum as ${name}` });
    const named = createHash('sha256').update(bytes).digest('hex');
    expect(await tap(name)).toContain(
      `Send the file ${name} (${bytes.length} bytes, ${type}, SHA-256 ${named}) to the`,
    );
    await until('it arrives', () => JSON.stringify(filesTo(MUM).at(-1)).includes(name));
    expect(filesTo(MUM).at(-1)).toStrictEqual({
      file_name: name,
      mime_type: type,
      text: new TextDecoder().decode(bytes),
    });
  });

  it('does not go with another size than its card says', async () => {
    const named = createHash('sha256').update(bill).digest('hex');
    const lie = `[a document, application/pdf, 1 bytes, ${named}]`;
    await send({ text: `send that file to mum as small.pdf ${lie}` });
    await tap('small.pdf (1 bytes');
    await until('a reason', () =>
      world.telegram
        .sent(OWNER)
        .some(({ text = '' }) => text.includes(`the file has ${bill.length} bytes, and its card said 1`)),
    );
  });
});

describe('a picture that cannot be shown', () => {
  it.each<[string, () => object, string]>([
    ['no picture at all', () => photo(Buffer.from('hello')), 'it is not a picture in a format that is known'],
    ['empty', () => photo(Buffer.alloc(0)), 'it is not a picture in a format that is known'],
    [
      'too large',
      () => photo(Buffer.concat([PNG, Buffer.alloc(4_000_000)])),
      'the picture has more than 4 MB; sent as a photo it is made smaller',
    ],
    [
      'a text that claims to be one',
      () => document(Buffer.from(`[a picture, image/png, ${'0'.repeat(64)}]`)),
      'it only names a file',
    ],
  ])('is said in one sentence: %s', async (_name, fields, why) => {
    const { texts } = await send(fields());
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/^This could not be done: Read a (photo|file)\. Why: /);
    expect(texts[0]).toContain(why);
  });

  it('names the setting if no model takes pictures', async () => {
    const bare = await startTestStack({ allowedChats: [OWNER] });
    try {
      const file = { file_id: bare.telegram.addFile(PNG), file_unique_id: 'u', width: 1, height: 1 };
      await bare.settled(signalIdOf(bare.telegram.sendMessage(OWNER, OWNER, { photo: [file] })));
      expect(bare.telegram.sent(OWNER).map(({ text }) => text)).toStrictEqual([
        'This could not be done: Read a photo. Why: no model here is shown pictures; a provider that takes them, or "images": true for one in PROVIDERS, changes that',
      ]);
    } finally {
      await bare.stop();
    }
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});

it.each<[string, () => object]>([
  ['a picture', () => photo(Buffer.concat([PNG, Buffer.from('to be forgotten')]))],
  ['a document', () => document(pdf(['to be forgotten']))],
  ['a document with a secret', () => document(pdf([`to be forgotten ${APPROVER_TOKEN}`]))],
  ['a long document', () => document(pdf(...Array.from({ length: 30 }, () => ['tea '.repeat(200)])))],
])('erases %s with its turn', async (_name, fields) => {
  const others = kept();
  const { id } = await send({ ...fields(), caption: 'look' });
  expect(kept().length).toBeGreaterThan(others.length);
  const { body: note } = await world.api<{ id: string }>('POST', '/api/messages', { text: '/remember a secret cat' });
  const made = (await world.settled(note.id)).replies[0] ?? '';
  const object = /[0-9a-f]{32}|[0-9a-f]{8,}/.exec(made)?.[0];
  const { body: asked } = await world.api<{ id: string }>('POST', '/api/messages', {
    text: `/forget ${object} ${id}`,
  });
  await world.settled(asked.id);
  expect(kept()).toStrictEqual(others);
});
