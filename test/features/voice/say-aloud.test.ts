/** Says a text aloud at a provider, and tells what it cost. */
import { describe, expect, it } from 'vitest';
import { buildSayAloud } from '../../../lib/features/voice/say-aloud.ts';
import { type Speak, say, startModelServer, WRONG_KEY } from '../../support/model-server.ts';

const TEXT = 'x'.repeat(1_000);
const far = { SPEECH_VOICE: 'alloy', TRANSCRIPTION_BASE_URL: 'https://speaks.example/v1' };

describe('buildSayAloud', () => {
  it.each([
    ['a listed model', { ...far, SPEECH_MODEL: 'tts-1' }, 15_000],
    ['an unlisted one as the most expensive', { ...far, SPEECH_MODEL: 'new' }, 30_000],
    ['the owner’s own price', { ...far, SPEECH_MODEL: 'tts-1', SPEECH_PRICE: '160.5' }, 160_500],
    ['a service on this machine', { ...far, SPEECH_MODEL: 'new', TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9/v1' }, 0],
  ])('tells the price of %s', async (_name, env, usd) => {
    const told: number[] = [];
    const speak = buildSayAloud(env, new Map(), async (_endpoint, _voice, _text, onBilled) => {
      onBilled();
      return new Uint8Array();
    });
    await speak(TEXT, (cost) => told.push(cost));
    expect(told).toStrictEqual([usd]);
  });

  it('says which setting helps', async () => {
    await expect(buildSayAloud({ SPEECH_VOICE: 'alloy' }, new Map())(TEXT, () => undefined)).rejects.toThrow(
      'no model that speaks is set; SPEECH_MODEL names one',
    );
  });

  it.each<[string, string, Speak, string, number]>([
    ['gives the bytes', 'k', () => Buffer.from('OggS'), 'OggS', 1],
    ['gives no other sound', 'k', () => Buffer.from('ID3'), 'something else than Ogg Opus', 1],
    ['pays for what may have been said', 'k', () => ({ kind: 'status', status: 500 }), 'failed on its side (500)', 1],
    ['pays nothing to who is busy', 'k', () => ({ kind: 'status', status: 429 }), '(429)', 0],
    ['pays nothing for a refused key', WRONG_KEY, () => Buffer.from('OggS'), 'refuses the key', 0],
  ])('%s', async (_name, key, answer, expected, bills) => {
    const server = await startModelServer(() => say(''), undefined, answer);
    try {
      let told = 0;
      const env = { SPEECH_MODEL: 'm', SPEECH_VOICE: 'alloy', TRANSCRIPTION_BASE_URL: server.baseUrl };
      const speak = buildSayAloud(env, new Map([['TRANSCRIPTION_API_KEY', key]]));
      const ended = await speak('hi', () => {
        told += 1;
      }).then((bytes) => Buffer.from(bytes).toString(), String);
      expect(ended).toContain(expected);
      expect(ended).not.toContain(WRONG_KEY);
      expect(told > 0 ? 1 : 0).toBe(bills);
    } finally {
      await server.close();
    }
  });
});
