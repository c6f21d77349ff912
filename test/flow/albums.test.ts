/** Albums sent to a Telegram chat, on the real stack: one message, one turn and one answer. */
import type { Message } from 'grammy/types';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findUnaccounted } from '../support/evidence.ts';
import { say, startModelServer, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER, GROUP] = [2601, 2602, -2603];
const png = (name: string) => Buffer.from(`\x89PNG\r\n\x1a\n ${name}`, 'latin1');
const dataOf = (name: string) => `data:image/png;base64,${png(name).toString('base64')}`;

const model = await startModelServer((request) => say(`I see ${request.pictures.length}: ${userTextOf(request)}`));
const world = await startTestStack({
  model,
  allowedChats: [OWNER, GROUP],
  approvers: [OWNER],
  environment: {
    PROVIDERS: JSON.stringify({
      seeing: {
        baseUrl: model.baseUrl,
        model: 'seeing',
        images: true,
        contextTokens: 128_000,
        prices: { prompt: 1, completion: 1 },
      },
    }),
    OPENAI_BASE_URL: undefined,
    OPENAI_MODEL: undefined,
    PROVIDER_CASCADE: 'seeing',
  },
});
afterAll(async () => {
  await world.stop();
  await model.close();
});

let album = 0;
beforeEach(() => {
  album += 1;
});
const photo = (name: string, fields: object = {}) => ({
  media_group_id: `1300000${album}`,
  photo: [{ file_id: world.telegram.addFile(png(name)), file_unique_id: 'l', width: 1280, height: 960 }],
  ...fields,
});
const file = (bytes: Buffer, file_name: string) => ({
  media_group_id: `1300000${album}`,
  document: { file_id: world.telegram.addFile(bytes), file_unique_id: 'd', file_name },
});
/** A message as Telegram gives it, for updates that come out of order. */
const messageOf = (fields: object, message_id: number) =>
  ({
    message_id,
    date: 1,
    chat: { id: OWNER, type: 'private', first_name: 'P' },
    from: { id: OWNER, is_bot: false, first_name: 'P' },
    ...fields,
  }) as never;
const send = (fields: object, from = OWNER, chat = OWNER) =>
  world.telegram.sendMessage(chat, from, fields as Partial<Message>);
const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
/** Plays, waits for its signals, and gives what the chat shows since and what the model saw. */
const shows = async (play: () => ReturnType<typeof send>[], chat = OWNER) => {
  const [before, asked] = [textsTo(chat).length, model.requests.length];
  const updates = play();
  const views = [];
  for (const update of updates) views.push(await world.settled(signalIdOf(update)));
  return {
    views,
    texts: textsTo(chat).slice(before),
    pictures: model.requests.slice(asked).map((request) => request.pictures),
  };
};

describe('an album', () => {
  it('is one message with one answer, in the order in which it was sent', async () => {
    const { views, texts, pictures } = await shows(() => [
      send(photo('one')),
      send(photo('two', { caption: 'which is nicer?' })),
      send(photo('three')),
    ]);
    expect(pictures).toStrictEqual([['one', 'two', 'three'].map(dataOf)]);
    expect(texts).toStrictEqual([expect.stringContaining('I see 3')]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('which is nicer?');
    expect(views.map(({ state }) => state)).toStrictEqual(['acted', 'handed on', 'handed on']);
  });

  it('may have ten pictures, the most that Telegram sends', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
    const { texts, pictures } = await shows(() => names.map((name) => send(photo(name))));
    expect(pictures).toStrictEqual([names.map(dataOf)]);
    expect(texts).toHaveLength(1);
  });

  it('is whole if its updates come twice and in another order, between those of others', async () => {
    const { pictures, texts } = await shows(() => {
      const last = world.telegram.sendUpdate({ message: messageOf(photo('three'), 903) });
      world.telegram.sendText(GROUP, OWNER, 'hello');
      const first = world.telegram.sendUpdate({ message: messageOf(photo('one'), 901) });
      const middle = world.telegram.sendUpdate({ message: messageOf(photo('two'), 902) });
      for (const { update_id } of [first, last, middle]) world.telegram.redeliver(update_id);
      return [last, first, middle];
    });
    expect(pictures.filter((seen) => seen.length > 0)).toStrictEqual([['one', 'two', 'three'].map(dataOf)]);
    expect(texts).toHaveLength(1);
  });

  it('leaves a picture that comes late a message of its own', async () => {
    const early = await shows(() => [send(photo('one')), send(photo('two'))]);
    const late = await shows(() => [send(photo('three'))]);
    expect([...early.pictures, ...late.pictures]).toStrictEqual([['one', 'two'].map(dataOf), [dataOf('three')]]);
  });

  it('of files that a message has no room for goes on in a second message', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `file ${n}`);
    const { texts } = await shows(() => names.map((name) => send(file(Buffer.from(`text of ${name}`), `${name}.txt`))));
    expect(texts).toHaveLength(2);
    const asked = JSON.stringify(model.requests.slice(-2).map(({ messages }) => messages));
    for (const name of names) expect(asked).toContain(`text of ${name}`);
  });

  it('says one sentence for all files that fail alike, and shows the others', async () => {
    const bad = (file_id: string) => ({
      ...photo('x'),
      photo: [{ file_id, file_unique_id: 'l', width: 1, height: 1 }],
    });
    const { texts, pictures } = await shows(() => [send(bad('AAgone')), send(photo('good')), send(bad('AAlost'))]);
    expect(pictures).toStrictEqual([[dataOf('good')]]);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^This could not be done: Read a photo\. Why: Telegram does not give the file/);
    const sentences = (await world.scan()).filter(({ pk, sk }) => sk === 'record' && /\/result-\d+$/.test(String(pk)));
    expect(sentences).toHaveLength(1);
  });

  it('is of one person, in one chat', async () => {
    const before = model.requests.length;
    const mine = send(photo('mine'), OWNER, GROUP);
    send(photo('theirs'), MEMBER, GROUP);
    send(photo('elsewhere'), OWNER, OWNER);
    await world.settled(signalIdOf(mine));
    await until('three are answered', () => model.requests.length === before + 3);
    expect(
      model.requests
        .slice(before)
        .flatMap(({ pictures }) => [...pictures])
        .toSorted(),
    ).toStrictEqual(['mine', 'theirs', 'elsewhere'].map(dataOf).toSorted());
  });

  it('leaves a command in a caption a command, and the rest an album', async () => {
    const { texts } = await shows(() => [send(photo('one', { caption: '/status' })), send(photo('two'))]);
    expect(texts.some((text) => text.includes('I see 1'))).toBe(true);
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
