import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LlmError, type ProviderFault } from '../../../lib/core/base/errors.ts';
import { askCascade, chooseNextStep, REASON_RESERVE_MS } from '../../../lib/core/llm/cascade.ts';
import type { ModelRequest } from '../../../lib/core/llm/chat.ts';
import { buildOpenAiAsk, PROVIDER_RESPONSE_BYTES_MAX } from '../../../lib/core/llm/openai-client.ts';
import type { Provider } from '../../../lib/core/llm/providers.ts';
import { type ScriptedAnswer, startModelServer } from '../../support/model-server.ts';

const KEY = 'sk-test-key-that-must-not-show';
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const serve = async (answer: ScriptedAnswer) => {
  const server = await startModelServer(() => answer);
  closers.push(server.close);
  return server;
};

const provider = (name: string, baseUrl: string): Provider => ({
  name,
  baseUrl,
  model: `${name}-model`,
  contextTokens: 100_000,
  answerTokensField: 'max_tokens',
  extraBody: {},
  callExtra: {},
  key: KEY,
});

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [],
  tokens: 20,
};

const ask = buildOpenAiAsk();
/** `timeMs` is what the providers may take in all. */
const run = async (providers: readonly Provider[], timeMs = 60_000, asked = request) => {
  // Begins to run when it is first looked at.
  let end: number | undefined;
  const remainingMs = (): number => {
    end ??= Date.now() + REASON_RESERVE_MS + timeMs;
    return end - Date.now();
  };
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const outcome = await askCascade({ providers, request: asked, ask, remainingMs, log }).catch(
    (error: unknown) => error,
  );
  return { outcome, lines };
};

/** As the reasons of the table below are classified. */
const faultOf = (reason: string): string => {
  const known = [
    [/how often/, 'busy'],
    [/no credit/, 'billing'],
    [/refuses the key/, 'auth'],
    [/such model/, 'model'],
    [/refused the request/, 'request'],
    [/on its side/, 'server'],
    [/not reachable/, 'down'],
    [/empty/, 'empty'],
  ] as const;
  return known.find(([pattern]) => pattern.test(reason))?.[1] ?? 'answer';
};

const good: ScriptedAnswer = { kind: 'answer', text: 'Hi.' };

describe('askCascade', () => {
  const faults: readonly (readonly [string, ScriptedAnswer, string, boolean])[] = [
    ['a rate limit', { kind: 'status', status: 429, retryAfterS: 30 }, 'limits how often it may be asked (429)', true],
    ['no credit', { kind: 'status', status: 429, code: 'insufficient_quota' }, 'has no credit left (429)', false],
    ['a server error', { kind: 'status', status: 500 }, 'failed on its side (500)', true],
    ['a bad gateway', { kind: 'status', status: 502 }, 'failed on its side (502)', true],
    ['a refused key', { kind: 'status', status: 401 }, 'refuses the key (401)', false],
    ['an unknown model', { kind: 'status', status: 404 }, 'knows no such model at this address (404)', false],
    ['a refused request', { kind: 'status', status: 400 }, 'refused the request (400)', false],
    ['broken JSON', { kind: 'raw', body: '{"choices": [' }, 'answered with broken JSON', false],
    ['garbage', { kind: 'raw', body: '\u0000\u0001 garbage' }, 'answered with broken JSON', false],
    [
      'a page instead of JSON',
      { kind: 'raw', body: '<html>', contentType: 'text/html' },
      'answered with something else than a chat completion',
      false,
    ],
    [
      'JSON of another kind',
      { kind: 'raw', body: '{"choices":[]}' },
      'answered with something else than a chat completion',
      false,
    ],
    ['an empty body', { kind: 'raw', body: '' }, 'answered with something else than a chat completion', false],
    ['an empty text', { kind: 'answer', text: '' }, 'gave an empty answer', false],
    ['only reasoning', { kind: 'answer', text: '<think>hm</think>' }, 'gave an empty answer', false],
    ['a reset connection', { kind: 'reset' }, 'is not reachable', true],
    [
      '20 MB',
      { kind: 'huge', bytes: 20_000_000 },
      `the answer of the provider is larger than ${PROVIDER_RESPONSE_BYTES_MAX} bytes`,
      false,
    ],
    [
      'a redirect',
      { kind: 'redirect', to: 'http://127.0.0.1:1/v1/chat/completions' },
      'the provider answered with a redirect (302), which is not followed',
      false,
    ],
  ];

  it.each(faults)('passes over %s to the next provider, and books the answer there', async (_, fault, reason) => {
    const bad = await serve(fault);
    const fine = await serve(good);
    const { outcome, lines } = await run([provider('first', bad.baseUrl), provider('second', fine.baseUrl)]);
    const line = `first (first-model): ${reason}`;
    expect(outcome).toStrictEqual({
      provider: 'second',
      model: 'second-model',
      answer: { content: 'Hi.', toolCalls: [], model: 'second-model', inputTokens: 10, outputTokens: 5 },
      inputTokens: 10,
      outputTokens: 5,
      index: 1,
      // Refusals cost nothing; whatever else went wrong may have been worked on.
      billed: /\(4\d\d\)$/.test(reason) ? [] : [0],
      failures: [line],
      troubles: [{ place: 0, fault: faultOf(reason), model: 'first-model' }],
    });
    expect(lines).toStrictEqual([line]);
    expect(bad.requests).toHaveLength(1);
  });

  it.each(faults)('says after %s alone whether waiting can help', async (_, fault, reason, isRetryable) => {
    const { outcome } = await run([provider('only', (await serve(fault)).baseUrl)]);
    expect(outcome).toBeInstanceOf(LlmError);
    expect(outcome).toMatchObject({
      message: `no language model answered: only (only-model): ${reason}`,
      cascade: ['only'],
      failures: [`only (only-model): ${reason}`],
      isRetryable,
    });
    expect(JSON.stringify(outcome) + String(outcome)).not.toMatch(/sk-test|body-secret-text|127\.0\.0\.1/);
  });

  it('gives up on a hanging provider when its time is over, and keeps the reserve', async () => {
    const hanging = await serve({ kind: 'hang' });
    const { outcome } = await run([provider('slow', hanging.baseUrl), provider('never', hanging.baseUrl)], 1_200);
    expect(outcome).toMatchObject({
      failures: ['slow (slow-model): did not answer in time', 'never (never-model): not asked: no time left'],
      isRetryable: true,
      billed: [0],
    });
    expect(hanging.requests).toHaveLength(1);
  });

  it('takes a slow answer that comes in time', async () => {
    const slow = await serve({ kind: 'answer', text: 'Late.', delayMs: 300 });
    const { outcome } = await run([provider('slow', slow.baseUrl)]);
    expect(outcome).toMatchObject({ provider: 'slow', answer: { content: 'Late.' } });
  });

  it('passes over an address where nobody listens', async () => {
    const gone = await startModelServer(() => good);
    await gone.close();
    const { outcome } = await run([provider('gone', gone.baseUrl)]);
    expect(outcome).toMatchObject({ failures: ['gone (gone-model): is not reachable'], isRetryable: true, billed: [] });
  });

  it('gives up on a server that accepts the connection and never finishes TLS', async () => {
    const mute = createTcpServer(() => undefined);
    mute.listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const askQuickly = buildOpenAiAsk({ connectTimeoutMs: 200 });
    const outcome = await askCascade({
      providers: [provider('mute', `https://127.0.0.1:${port}/v1`)],
      request,
      ask: askQuickly,
      remainingMs: () => 60_000,
      log: () => undefined,
    }).catch((error: unknown) => error);
    mute.close();
    expect(outcome).toMatchObject({ failures: ['mute (mute-model): is not reachable'] });
  });

  it('passes over a provider whose window is too small, without asking it', async () => {
    const fine = await serve(good);
    const small = { ...provider('small', fine.baseUrl), contextTokens: 4_096 };
    const { outcome } = await run([small], 60_000, { ...request, tokens: 3_073 });
    expect(outcome).toMatchObject({
      failures: ['small (small-model): not asked: the prompt does not fit its window'],
      isRetryable: false,
    });
    expect(fine.requests).toStrictEqual([]);
  });

  it('asks for a shorter answer where the longest one counts against a limit of the provider', async () => {
    const server = await startModelServer(({ body }) =>
      Number(body.max_tokens) > 8_000
        ? { kind: 'status', status: 413, code: 'rate_limit_exceeded' }
        : { kind: 'answer', text: 'Hi.' },
    );
    closers.push(server.close);
    const { outcome } = await run([{ ...provider('a', server.baseUrl), tier: 'reasoning' }]);
    expect(outcome).toMatchObject({ answer: { content: 'Hi.' }, billed: [], failures: [] });
    expect(server.requests.map(({ body }) => body.max_tokens)).toStrictEqual([16_384, 4_096]);
  });

  it('is exhausted at once where no provider is configured', async () => {
    const { outcome } = await run([]);
    expect(outcome).toMatchObject({
      message: 'no language model answered: no provider is configured',
      failures: [],
      isRetryable: false,
    });
  });

  it('is not retryable where one provider of several will never answer', async () => {
    const busy = await serve({ kind: 'status', status: 503 });
    const locked = await serve({ kind: 'status', status: 403 });
    const { outcome } = await run([provider('busy', busy.baseUrl), provider('locked', locked.baseUrl)]);
    expect(outcome).toMatchObject({ isRetryable: false, cascade: ['busy', 'locked'] });
  });
});

const failure = (fault: ProviderFault, more: { mayBeBilled?: boolean; retryAfterMs?: number } = {}) => ({
  fault,
  reason: 'x',
  isTransient: false,
  mayBeBilled: false,
  ...more,
});
const usual = { isLast: false, isRepeat: false, leftMs: 60_000 };

describe('chooseNextStep', () => {
  it.each([
    ['a rate limit with a short wait', failure('busy', { retryAfterMs: 900 }), usual, { kind: 'again', afterMs: 900 }],
    ['one with a long wait', failure('busy', { retryAfterMs: 4_000 }), usual, { kind: 'next' }],
    [
      'a long wait of the last',
      failure('busy', { retryAfterMs: 4_000 }),
      { ...usual, isLast: true },
      { kind: 'again', afterMs: 4_000 },
    ],
    [
      'an insane wait of the last',
      failure('busy', { retryAfterMs: 60_000 }),
      { ...usual, isLast: true },
      { kind: 'next' },
    ],
    [
      'a wait longer than the time left',
      failure('busy', { retryAfterMs: 900 }),
      { ...usual, leftMs: 900 },
      { kind: 'next' },
    ],
    ['no word on waiting', failure('down'), usual, { kind: 'next' }],
    ['no word on waiting of the last', failure('down'), { ...usual, isLast: true }, { kind: 'again', afterMs: 500 }],
    ['what may be billed', failure('down', { mayBeBilled: true }), { ...usual, isLast: true }, { kind: 'next' }],
    ['a second failure', failure('busy', { retryAfterMs: 1 }), { ...usual, isRepeat: true }, { kind: 'next' }],
    ['a prompt too long', failure('overflow'), usual, { kind: 'shrink' }],
    ['a prompt too long twice', failure('overflow'), { ...usual, isRepeat: true }, { kind: 'next' }],
    ['a wrong key', failure('auth'), { ...usual, isLast: true }, { kind: 'next' }],
    ['no credit', failure('billing'), { ...usual, isLast: true }, { kind: 'next' }],
    ['content it refuses', failure('policy'), usual, { kind: 'stop' }],
    ['content it refuses the second time', failure('policy'), { ...usual, isRepeat: true }, { kind: 'stop' }],
  ] as const)('decides on %s', (_, failed, situation, step) => {
    expect(chooseNextStep(failed, situation)).toStrictEqual(step);
  });
});
