/**
 * Answers said aloud, on the real stack: the text comes as always, then once more as a voice note.
 * Each way in which the note can fail ends in one sentence, and leaves the text alone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findUnaccounted } from '../../support/evidence.ts';
import { type Speak, say, startModelServer, userTextOf } from '../../support/model-server.ts';
import { signalIdOf, startTestStack } from '../../support/stack.ts';

const OWNER = 2301;
const ALOUD: Speak = ({ input }) => Buffer.from(`OggS ${input}`);

let speak = ALOUD;
const model = await startModelServer(
  (request) => {
    const asked = userTextOf(request);
    if (/much/.test(asked)) return say(`One. ${'Two words. '.repeat(400)}`);
    return say(/one word/.test(asked) ? 'a'.repeat(3_000) : '**Hello** `you`, all well.');
  },
  undefined,
  (text) => speak(text),
);
const world = await startTestStack({
  model,
  allowedChats: [OWNER],
  approvers: [OWNER],
  environment: { SPEECH_MODEL: 'tts-1', TRANSCRIPTION_BASE_URL: model.baseUrl, BUDGET_TURN_USD: '0.0599' },
});
afterAll(async () => {
  await world.stop();
  await world.model.close();
});
beforeEach(() => {
  speak = ALOUD;
});

const shown = () =>
  world.telegram.sent(OWNER).map(({ text, voice }) => (voice === undefined ? (text ?? '') : '(a voice note)'));
const write = async (text: string) => {
  const before = shown().length;
  await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)));
  return shown().slice(before);
};

describe('a chat with /voice on', () => {
  beforeAll(async () => {
    expect(await write('hi')).toStrictEqual(['Hello you, all well.']);
    expect(world.model.spoken).toStrictEqual([]);
    expect(await write('/voice on')).toStrictEqual([
      'My answers in this chat come as voice notes too, after the text.',
    ]);
  });

  it('gets the text, then the same words in a voice note, without the marks', async () => {
    expect(await write('hi')).toStrictEqual(['Hello you, all well.', '(a voice note)']);
    expect(world.model.spoken.at(-1)).toStrictEqual({ model: 'tts-1', voice: 'alloy', input: 'Hello you, all well.' });
    expect(await write('/budget')).toHaveLength(1);
  });

  it('hears as much of a long answer as fits, up to the end of a sentence', async () => {
    await write('say much');
    const { input } = world.model.spoken.at(-1) ?? { input: '' };
    expect(input.length).toBeLessThanOrEqual(2_000);
    expect(input.length).toBeGreaterThan(1_950);
    expect(input).toMatch(/words\.$/);
  });

  it.each([
    ['the provider fails', () => ({ kind: 'status', status: 500 }) as const, 'failed on its side (500)'],
    ['it gives something else', () => Buffer.from('ID3 a song'), 'something else than Ogg Opus'],
  ])('reads one sentence if %s', async (_what, answer, why) => {
    speak = answer;
    const asked = world.model.spoken.length;
    const [text, sorry, ...rest] = await write('hi');
    expect(text).toBe('Hello you, all well.');
    expect(sorry).toContain('My answer above could not be said in a voice note');
    expect(sorry).toContain(why);
    expect(rest).toStrictEqual([]);
    expect(world.model.spoken).toHaveLength(asked + 1);
  });

  it.each([
    ['refuses it', { code: 400, description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN' }, 'VOICE_MESSAGES_FORBIDDEN'],
    ['says nothing of it', 'lost-answer', 'the connection ended before Telegram answered'],
  ] as const)('reads one sentence if Telegram %s, and nothing is sent again', async (_what, failure, why) => {
    world.telegram.failNext('sendVoice', failure);
    const [text, ...rest] = await write('hi');
    expect(text).toBe('Hello you, all well.');
    expect(rest.filter((one) => one !== '(a voice note)').join()).toContain(why);
    expect(rest.filter((one) => one === '(a voice note)').length).toBeLessThan(2);
  });

  it('reads one sentence if the budget has no room for the longest text, which is reserved', async () => {
    const asked = world.model.spoken.length;
    expect((await write('one word'))[1]).toContain('a text to telegram costs $0.06, and $0.0599 of $0.0599 is left');
    expect(world.model.spoken).toHaveLength(asked);
  });

  it('ends with /voice off, and with a chat that is named', async () => {
    await write(`/chats name ${OWNER} me`);
    expect(await write('/voice off me')).toStrictEqual(['My answers in me come as text alone.']);
    expect(await write('hi')).toStrictEqual(['Hello you, all well.']);
    const console = await world.api<{ id: string }>('POST', '/api/voice', { state: 'on' });
    expect((await world.settled(console.body.id)).replies.join()).toContain('name the chat behind on or off');
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });
});
