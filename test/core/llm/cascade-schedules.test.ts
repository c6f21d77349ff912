/**
 * The cascade under random fault schedules: 10,000 in a soak, in process over endpoints that fail
 * as a script says, and 300 over real HTTP. Of each run it is known who was asked what how often,
 * how much time that took, and so what the outcome must be.
 */

import type { Arbitrary } from 'fast-check';
import { APIConnectionTimeoutError, APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LlmError, ProtocolError } from '../../../lib/core/base/errors.ts';
import { askCascade, REASON_RESERVE_MS } from '../../../lib/core/llm/cascade.ts';
import type { Ask, ModelAnswer, ModelRequest } from '../../../lib/core/llm/chat.ts';
import { buildOpenAiAsk } from '../../../lib/core/llm/openai-client.ts';
import { ANSWER_TOKENS_MAX, answeredCost, failedCost, worstCharge } from '../../../lib/core/llm/prices.ts';
import { PROVIDER_TIMEOUT_MS } from '../../../lib/core/llm/provider-table.ts';
import type { Provider } from '../../../lib/core/llm/providers.ts';
import { fc, runsOf } from '../../support/fast-check.ts';
import { type ModelServer, type ScriptedAnswer, startModelServer } from '../../support/model-server.ts';

const provider = (name: string, baseUrl: string, contextTokens = 100_000): Provider => ({
  name,
  baseUrl,
  model: 'gpt-6-luna',
  contextTokens,
  answerTokensField: 'max_tokens',
  extraBody: {},
  callExtra: {},
  key: 'k',
});
/** In a soak. */
const SCHEDULES = 10_000;
const request: ModelRequest = { system: 's', messages: [], tools: [], tokens: 4_000 };

/** Outcome of one request, and its share of the time. */
interface Turn {
  readonly fault: 'ok' | 'empty' | 'reset' | 'refused' | 'timeout' | 'garbage' | 'bug' | number;
  readonly code: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly tookMs: number;
}

const turns: Arbitrary<Turn> = fc.record({
  fault: fc.oneof(
    { weight: 3, arbitrary: fc.constant('ok' as const) },
    { weight: 2, arbitrary: fc.constantFrom('empty', 'reset', 'refused', 'timeout', 'garbage', 'bug') },
    { weight: 6, arbitrary: fc.constantFrom(400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529) },
  ),
  code: fc.constantFrom(undefined, undefined, 'context_length_exceeded', 'content_filter', 'insufficient_quota'),
  retryAfterS: fc.constantFrom(undefined, 0, 0.5, 3, 600),
  tookMs: fc.integer({ min: 1, max: 90_000 }),
});

const fail = (turn: Turn): never => {
  switch (turn.fault) {
    case 'reset':
      throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
    case 'refused':
      throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    case 'timeout':
      throw new APIConnectionTimeoutError();
    case 'garbage':
      throw new ProtocolError('answered with something else than a chat completion');
    case 'bug':
      throw null;
    default: {
      const after = turn.retryAfterS === undefined ? {} : { 'retry-after': String(turn.retryAfterS) };
      throw APIError.generate(Number(turn.fault), { error: { code: turn.code } }, 'secret words', new Headers(after));
    }
  }
};

describe('askCascade under random faults', () => {
  it('ends in time, asks nobody twice who may bill, and books what was asked', async () => {
    let answeredRuns = 0;
    const schedules = fc.array(fc.array(turns, { minLength: 2, maxLength: 2 }), { minLength: 0, maxLength: 5 });
    const budgetMs = fc.integer({ min: 0, max: 200_000 });
    await fc.assert(
      fc.asyncProperty(schedules, budgetMs, fc.boolean(), async (schedule, timeMs, canShrink) => {
        const providers = schedule.map((_, index) => provider('openai', `https://${index}.example/v1`));
        let clock = 0;
        const asked: { place: number; turn: Turn; tokens: number; mayBill: boolean }[] = [];
        const ask: Ask = async (one, { tokens }, timeoutMs): Promise<ModelAnswer> => {
          const place = providers.findIndex(({ baseUrl }) => baseUrl === one.baseUrl);
          const nth = asked.filter((other) => other.place === place).length;
          const turn = schedule[place]?.[nth];
          if (turn === undefined) throw new Error('asked a third time');
          expect(timeoutMs).toBeLessThanOrEqual(PROVIDER_TIMEOUT_MS.cognition);
          const isLate = turn.tookMs > timeoutMs;
          clock += Math.min(turn.tookMs, timeoutMs);
          const isRefusal = typeof turn.fault === 'number' && turn.fault < 500 && turn.fault !== 408;
          const isTurnedAway = turn.fault === 503 && turn.retryAfterS !== undefined;
          const isUnpaid = turn.fault === 'refused' || isRefusal || isTurnedAway || turn.code === 'insufficient_quota';
          const isFree =
            !isLate && isUnpaid && typeof turn.fault !== 'string' ? true : !isLate && turn.fault === 'refused';
          asked.push({ place, turn, tokens, mayBill: !isFree });
          if (isLate) throw new APIConnectionTimeoutError();
          if (turn.fault === 'ok' || turn.fault === 'empty')
            return {
              content: turn.fault === 'ok' ? 'Hi.' : '',
              toolCalls: [],
              model: 'gpt-6-luna',
              inputTokens: 9,
              outputTokens: 2,
            };
          return fail(turn);
        };
        const end = timeMs + REASON_RESERVE_MS;
        const outcome = await askCascade({
          providers,
          request,
          ask,
          remainingMs: () => end - clock,
          log: () => undefined,
          wait: async (ms) => {
            clock += ms;
          },
          ...(canShrink ? { shrink: (tokens) => ({ ...request, tokens, hash: 'shorter' }) } : {}),
        }).catch((error: unknown) => error);

        expect(clock).toBeLessThanOrEqual(Math.max(0, timeMs));
        for (const [place] of providers.entries()) {
          const own = asked.filter((one) => one.place === place);
          expect(own.length).toBeLessThanOrEqual(2);
          // Once it may have billed, nobody asks it again.
          expect(own.slice(0, -1).some((one) => one.mayBill)).toBe(false);
        }
        const places = asked.map(({ place }) => place);
        expect(places).toStrictEqual([...places].sort((a, b) => a - b));
        const last = asked.at(-1);
        const worst = worstCharge('w', providers, request.tokens);
        if (outcome instanceof LlmError) {
          expect(outcome.message).not.toContain('secret words');
          expect(last?.turn.fault === 'ok' && last.turn.tookMs <= PROVIDER_TIMEOUT_MS.cognition && clock < timeMs).toBe(
            false,
          );
          const billing = new Set(asked.filter(({ mayBill }) => mayBill).map(({ place }) => place));
          expect([...outcome.billed]).toStrictEqual([...billing]);
          expect(failedCost(providers, outcome.billed, request.tokens).usd).toBeLessThanOrEqual(worst.usd);
        } else {
          answeredRuns += 1;
          const { index, billed, promptHash } = outcome as Awaited<ReturnType<typeof askCascade>>;
          expect(last?.place).toBe(index);
          expect(last?.turn.fault).toBe('ok');
          expect(promptHash === 'shorter').toBe((last?.tokens ?? 0) < request.tokens);
          const billing = new Set(
            asked.filter(({ mayBill, place }) => mayBill && place !== index).map(({ place }) => place),
          );
          expect([...billed]).toStrictEqual([...billing]);
          const cost = answeredCost(providers, outcome as Awaited<ReturnType<typeof askCascade>>, request.tokens);
          expect(cost.usd).toBeLessThanOrEqual(worst.usd);
          expect(cost.tokens).toBeLessThanOrEqual(worst.tokens + ANSWER_TOKENS_MAX.cognition);
        }
      }),
      { numRuns: SCHEDULES, seed: 20_261_122 },
    );
    // Most schedules end without an answer, as they should; enough do not.
    expect(answeredRuns).toBeGreaterThan(0.15 * runsOf(SCHEDULES));
  });
});

describe('askCascade over HTTP under random faults', () => {
  const script: ScriptedAnswer[][] = [];
  const servers: ModelServer[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 3; index += 1) {
      servers.push(await startModelServer(() => script[index]?.shift() ?? { kind: 'answer', text: `from ${index}` }));
    }
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const faults: Arbitrary<ScriptedAnswer> = fc.constantFrom<ScriptedAnswer>(
    { kind: 'answer', text: 'ok' },
    { kind: 'answer', text: '' },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 429, retryAfterS: 0 },
    { kind: 'status', status: 429, retryAfterS: 600 },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503, retryAfterS: 0 },
    { kind: 'status', status: 401 },
    { kind: 'status', status: 400, code: 'context_length_exceeded' },
    { kind: 'raw', body: '<html>', contentType: 'text/html' },
    { kind: 'raw', body: '{"choices": [' },
    { kind: 'raw', body: '', contentType: 'text/plain' },
    { kind: 'raw', body: 'data: {"choices":[{"delta":{"content":"half"}}]}\n\n', contentType: 'text/event-stream' },
    { kind: 'raw', body: 'data: {"choices": [\n\n', contentType: 'text/event-stream' },
    { kind: 'reset' },
    { kind: 'redirect', to: 'http://127.0.0.1:1/' },
    { kind: 'huge', bytes: 2_000_000 },
  );

  it.each([
    ['whole', undefined],
    ['streamed', () => undefined],
  ] as const)(
    'always ends with an answer of the one it names, or with the reasons of all, %s: 300 schedules',
    async (_, hear) => {
      const ask = buildOpenAiAsk();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(faults, { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
          async (schedule) => {
            script.splice(0, script.length, ...schedule.map((one) => [...one]));
            const before = servers.map(({ requests }) => requests.length);
            const end = Date.now() + 60_000 + REASON_RESERVE_MS;
            const outcome = await askCascade({
              providers: servers.map(({ baseUrl }, index) => provider(`p${index}`, baseUrl)),
              request,
              ask,
              hear,
              remainingMs: () => end - Date.now(),
              log: () => undefined,
              wait: async () => undefined,
            }).catch((error: unknown) => error);
            const counts = servers.map(({ requests }, index) => requests.length - (before[index] ?? 0));
            // A kept connection that is found dead at once was never asked over: that request does
            // not count.
            for (const [index, count] of counts.entries()) {
              const resets = schedule[index]?.filter(({ kind }) => kind === 'reset').length ?? 0;
              expect(count).toBeLessThanOrEqual(2 + resets);
            }
            if (outcome instanceof LlmError) {
              expect(outcome.failures).toHaveLength(3);
              expect(`${outcome.message}${JSON.stringify(outcome)}`).not.toContain('body-secret-text');
            } else {
              const { index, answer } = outcome as Awaited<ReturnType<typeof askCascade>>;
              expect(['ok', `from ${index}`]).toContain(answer.content);
              expect(counts.slice(index + 1)).toStrictEqual(counts.slice(index + 1).map(() => 0));
            }
          },
        ),
        { numRuns: 300, seed: 7 },
      );
    },
  );
});
