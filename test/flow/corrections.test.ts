/** Messages that their sender corrects, on the real stack: each is answered as it reads now. */
import type { Message } from 'grammy/types';
import { afterAll, describe, expect, it } from 'vitest';
import { findUnaccounted } from '../support/evidence.ts';
import { say, userTextOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, until } from '../support/stack.ts';

const [OWNER, MEMBER, GROUP] = [8101, 8102, -8103];

let beforeAnswer: Promise<unknown> = Promise.resolve();
const world = await startTestStack({
  allowedChats: [OWNER, GROUP],
  approvers: [OWNER],
  script: async (request) => {
    await beforeAnswer;
    return say(`re ${userTextOf(request)}`);
  },
});
afterAll(world.stop);

const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
const edit = ({ message }: { message?: object }, text: string) =>
  world.telegram.sendUpdate({ edited_message: { ...(message as Message), text, edit_date: 2 } as never });
/** While a turn runs, `play` sends what waits. Gives the texts after all of it. */
const meanwhile = async <T>(chat: number, play: () => T | Promise<T>): Promise<[T, readonly string[]]> => {
  const before = textsTo(chat).length;
  const gate = Promise.withResolvers<void>();
  beforeAnswer = gate.promise;
  world.telegram.sendText(chat, OWNER, 'first');
  const played = await play();
  await until('all is taken', () => world.telegram.pending().length === 0);
  const last = world.telegram.sendText(chat, OWNER, 'last');
  await until('all waits', async () => (await world.signal(signalIdOf(last))).state === 'perceived');
  gate.resolve();
  const since = () => textsTo(chat).slice(before);
  await until('the last is answered', () => since().some((text) => text.includes('last')));
  return [played, since().filter((text) => !/first|last/.test(text))];
};

describe('a message that waits', () => {
  it('is answered once, as it reads after its last correction', async () => {
    const [update, texts] = await meanwhile(OWNER, () => {
      const written = world.telegram.sendText(OWNER, OWNER, 'tea at four');
      edit(written, 'tea at five');
      return edit(written, 'tea at six');
    });
    expect(texts).toStrictEqual(['re tea at six']);
    expect(await world.signal(signalIdOf(update))).toMatchObject({
      state: 'dropped',
      stateReason: expect.stringMatching(/^its words replaced those of tg-\S+, which still waited$/),
    });
    expect(world.model.requests.map(userTextOf).filter((text) => /tea at (four|five)$/.test(text))).toStrictEqual([]);
  });

  it.each(['/resume', '/approve', '/remember milk'])('becomes no command: %s', async (command) => {
    const [, texts] = await meanwhile(OWNER, () => edit(world.telegram.sendText(OWNER, OWNER, 'please'), command));
    const line = command === '/remember milk' ? '\n\n(Nothing was sent, booked or saved in this turn.)' : '';
    expect(texts).toStrictEqual([`re ${command}${line}`]);
  });

  it('is of its sender: a correction in its name by somebody else is a message of its own', async () => {
    const [, texts] = await meanwhile(GROUP, () => {
      const { message } = world.telegram.sendText(GROUP, OWNER, 'tea at four');
      return edit({ message: { ...message, from: { id: MEMBER, is_bot: false, first_name: 'M' } } }, 'obey');
    });
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('tea at four');
  });
});

describe('a message that is answered, or is being answered', () => {
  it('is answered again as it reads now, and not if nothing changed', async () => {
    const written = world.telegram.sendText(OWNER, OWNER, 'soup at one');
    await world.settled(signalIdOf(written));
    for (const [text, added] of [
      ['soup at one', 0],
      ['soup at two', 1],
      ['soup at two', 0],
      ['soup at one', 1],
    ] as const) {
      const before = textsTo(OWNER).length;
      const view = await world.settled(signalIdOf(edit(written, text)));
      expect([text, textsTo(OWNER).length - before]).toStrictEqual([text, added]);
      if (added === 0) expect(view).toMatchObject({ state: 'dropped', stateReason: 'the correction changed nothing' });
      else expect(view.text[0]?.text).toBe('[an earlier message was edited; this is how it reads now]');
    }
  });

  it('moves without a word and without a model if it is a live location', async () => {
    const [asked, said] = [world.model.requests.length, textsTo(OWNER).length];
    const place = { message: { location: { latitude: 48.1, longitude: 11.5, live_period: 3_600 } } };
    const base = { message_id: 900, date: 1, chat: { id: OWNER, type: 'private' }, from: { id: OWNER, is_bot: false } };
    const first = world.telegram.sendUpdate({ message: { ...base, ...place.message } } as never);
    await world.settled(signalIdOf(first));
    for (const latitude of [48.2, 48.3]) {
      const moved = { ...base, edit_date: 2, location: { latitude, longitude: 11.5, heading: 10 } };
      const view = await world.settled(signalIdOf(world.telegram.sendUpdate({ edited_message: moved } as never)));
      expect(view).toMatchObject({ state: 'dropped', stateReason: 'a live location that moved' });
    }
    expect([world.model.requests.length - asked, textsTo(OWNER).length - said]).toStrictEqual([1, 1]);
  });

  it('loses nothing if the model was asked already', async () => {
    const before = textsTo(OWNER).length;
    const gate = Promise.withResolvers<void>();
    beforeAnswer = gate.promise;
    const asked = world.model.requests.length;
    const written = world.telegram.sendText(OWNER, OWNER, 'rice at one');
    await until('the model is asked', () => world.model.requests.length > asked);
    const update = edit(written, 'rice at two');
    await until('it is taken', () => world.telegram.pending().length === 0);
    gate.resolve();
    await world.settled(signalIdOf(update));
    await until('both are answered', () => textsTo(OWNER).length === before + 2);
    expect(textsTo(OWNER).at(-2)).toBe('re rice at one');
    expect(textsTo(OWNER).at(-1)).toContain('rice at two');
  });

  it('stops everything if it now says so, and resumes nothing', async () => {
    const written = world.telegram.sendText(OWNER, OWNER, 'go');
    await world.settled(signalIdOf(written));
    await world.settled(signalIdOf(edit(written, 'STOP')));
    expect(textsTo(OWNER).at(-1)).toMatch(/^Stopped\./);
    await world.settled(signalIdOf(edit(written, '/resume')));
    expect(textsTo(OWNER).at(-1)).toMatch(/^I am stopped/);
    await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, '/resume')));
    expect(textsTo(OWNER).at(-1)).toBe('Running again.');
  });
});

it('has left no action without its evidence', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
