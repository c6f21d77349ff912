import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProtocolError, UnavailableError } from '../../../lib/core/base/errors.ts';
import { buildTranscriptionEndpoint } from '../../../lib/core/llm/audio-endpoint.ts';
import { recordingPrice } from '../../../lib/features/voice/recording-price.ts';
import { transcribe } from '../../../lib/features/voice/transcribe.ts';
import { type ModelServer, type ScriptedAnswer, say, startModelServer } from '../../support/model-server.ts';

let server: ModelServer;
let answer: ScriptedAnswer | string = '';
beforeAll(async () => {
  server = await startModelServer(
    () => say('never asked'),
    () => answer,
  );
});
afterAll(() => server.close());

const billed: (number | undefined)[] = [];
const send = (key = 'secret-key', baseUrl = server.baseUrl) =>
  transcribe(
    { baseUrl, key, model: 'm' },
    new Uint8Array(Buffer.from('OggS')),
    'recording.ogg',
    (seconds) => billed.push(seconds),
    300,
  );
const raw = (usage: object): ScriptedAnswer => ({ kind: 'raw', body: JSON.stringify({ text: 'hi', usage }) });
const failureOf = async (given: ScriptedAnswer): Promise<unknown> => {
  answer = given;
  return send().catch((error: unknown) => error);
};

describe('transcribe', () => {
  it('sends the bytes with the model, and gives what was said', async () => {
    answer = ' two words \n';
    expect(await send()).toBe('two words');
    expect(await send('')).toBe('two words');
    expect(server.recordings.map(({ model, authorization }) => [model, authorization])).toStrictEqual([
      ['m', 'Bearer secret-key'],
      ['m', 'Bearer none'],
    ]);
  });

  it.each<[string, ScriptedAnswer | string, readonly (number | undefined)[]]>([
    ['no duration', 'hi', [undefined]],
    ['a duration', raw({ type: 'duration', seconds: 9 }), [9]],
    ['tokens', raw({ type: 'tokens', total_tokens: 9 }), [undefined]],
    ['nonsense', raw({ seconds: -1 }), [undefined]],
    ['a refusal', { kind: 'status', status: 402 }, []],
    ['a failure on its side', { kind: 'status', status: 500 }, [undefined]],
  ])('says for how long it may be billed: %s', async (_name, given, expected) => {
    billed.length = 0;
    await failureOf(given as ScriptedAnswer);
    expect(billed).toStrictEqual(expected);
  });

  it('may be tried again only if nothing was taken up', async () => {
    const later = [
      await failureOf({ kind: 'status', status: 429 }),
      await failureOf({ kind: 'status', status: 503, retryAfterS: 1 }),
      await send('', 'http://127.0.0.1:9/v1').catch((error: unknown) => error),
    ];
    const never = [
      await failureOf({ kind: 'hang' }),
      await failureOf({ kind: 'reset' }),
      await failureOf({ kind: 'status', status: 500 }),
      await failureOf({ kind: 'status', status: 401 }),
    ];
    expect(later.map((error) => error instanceof UnavailableError)).toStrictEqual([true, true, true]);
    expect(never.map((error) => error instanceof ProtocolError)).toStrictEqual([true, true, true, true]);
    const words = [...later, ...never].map(String).join('\n');
    expect(words).toContain('did not answer in time; send it again later');
    expect(words).not.toMatch(/secret|127\.0\.0\.1|body-/);
  });
});

describe('recordingPrice', () => {
  const cloud = { TRANSCRIPTION_MODEL: 'gpt-transcribe' };
  it.each<[string, Parameters<typeof recordingPrice>[0], Parameters<typeof recordingPrice>[1], number]>([
    ['a listed model', cloud, { seconds: 60 }, 4_500],
    ['part of a minute', cloud, { seconds: 1 }, 75],
    ['an unlisted model as the dearest', { TRANSCRIPTION_MODEL: 'new' }, { seconds: 60 }, 6_000],
    ['the owner’s own price', { ...cloud, TRANSCRIPTION_PRICE: '0.01' }, { seconds: 60 }, 10_000],
    ['a service on this machine', { ...cloud, TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9/v1' }, { seconds: 60 }, 0],
    ['a duration too short for its bytes', cloud, { seconds: 1, bytes: 16_000 * 60 }, 4_500],
    ['a recording that is too long to be sent', cloud, { seconds: 601 }, 0],
    ['a file that is too large to be fetched', cloud, { bytes: 20_000_001 }, 0],
    ['no model', {}, { seconds: 60 }, 0],
  ])('counts %s', (_name, env, size, expected) => {
    expect(recordingPrice(env, size)).toBe(expected);
  });
});

describe('buildTranscriptionEndpoint', () => {
  it('takes its own address, else that of OPENAI_BASE_URL, else OpenAI’s', () => {
    const urlOf = (env: object) => buildTranscriptionEndpoint({ TRANSCRIPTION_MODEL: 'm', ...env }, '')?.baseUrl;
    const own = { TRANSCRIPTION_BASE_URL: 'https://a.example/v1', OPENAI_BASE_URL: 'https://b.example/v1' };
    expect([urlOf(own), urlOf({ OPENAI_BASE_URL: own.OPENAI_BASE_URL }), urlOf({})]).toStrictEqual([
      'https://a.example/v1',
      'https://b.example/v1',
      'https://api.openai.com/v1',
    ]);
  });
});
