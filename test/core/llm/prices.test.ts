import { describe, expect, it } from 'vitest';
import {
  ANSWER_TOKENS_MAX,
  answeredCost,
  failedCost,
  MOST_EXPENSIVE,
  microDollarsOf,
  priceOf,
  worstCharge,
} from '../../../lib/core/llm/prices.ts';
import { buildCascade, PROVIDER_KEY_NAMES } from '../../../lib/core/llm/providers.ts';

const provider = (name: string, model: string, baseUrl = 'https://api.example.com/v1') => ({ name, model, baseUrl });
const FREE = { prompt: 0, cached: 0, completion: 0 };

describe('priceOf', () => {
  it('knows the model of every built-in provider but the router', () => {
    const keys = new Map(PROVIDER_KEY_NAMES.map((name) => [name, 'key']));
    const unknown = buildCascade({}, keys).filter((one) => priceOf(one) === MOST_EXPENSIVE);
    expect(unknown.map(({ name }) => name)).toStrictEqual(['openrouter']);
  });

  it.each([
    ['a model nobody listed', provider('openai', 'gpt-99'), MOST_EXPENSIVE],
    ['a name of JavaScript', provider('openai', 'constructor'), MOST_EXPENSIVE],
    ['a router', provider('openrouter', 'claude-haiku-5-5'), MOST_EXPENSIVE],
    ['a foreign endpoint', provider('custom', 'gpt-6-luna'), MOST_EXPENSIVE],
    ['this machine', provider('custom', 'gpt-6-luna', 'http://127.0.0.1:8080/v1'), FREE],
    ['this machine by name', provider('openai', 'gpt-6-luna', 'http://localhost:8080/v1'), FREE],
    ['a look-alike of this machine', provider('custom', 'x', 'http://localhost.evil.example/v1'), MOST_EXPENSIVE],
    ['an Ollama', provider('ollama', 'llama3.2', 'http://10.0.0.2:11434/v1'), FREE],
  ])('charges %s so', (_, asked, price) => {
    expect(priceOf(asked)).toStrictEqual(price);
  });

  it('charges a dated name as the model that was asked for', () => {
    const asked = provider('openai', 'gpt-6-luna');
    expect(priceOf(asked, 'gpt-6-luna-2026-09-22')).toStrictEqual(priceOf(asked));
    expect(priceOf(asked, 'gpt-6-sol').completion).toBe(10_000);
  });
});

describe('microDollarsOf', () => {
  it.each([
    [{ prompt: 2_000, cached: 0, completion: 100 }, 300],
    [{ prompt: 2_000, cached: 1_000, completion: 100 }, 185],
    // Never more from the cache than there was.
    [{ prompt: 10, cached: 99, completion: 0 }, 1],
    [{ prompt: 1, cached: 0, completion: 0 }, 1],
    [{ prompt: 0, cached: 0, completion: 0 }, 0],
  ])('adds %o up to whole micro-dollars', (usage, microDollars) => {
    expect(microDollarsOf({ prompt: 125, cached: 10, completion: 500 }, usage)).toBe(microDollars);
  });
});

const luna = { name: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt-6-luna' };
const haiku = { name: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', model: 'claude-haiku-5-5' };
const local = { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2' };

/** Worst case of a prompt of 1,000 tokens: 1,250 at 125, the longest answer at 500 nano-dollars. */
const LUNA_WORST = {
  usd: Math.ceil((1_250 * 125 + ANSWER_TOKENS_MAX.cognition * 500) / 1_000),
  tokens: 1_250 + ANSWER_TOKENS_MAX.cognition,
};
const HAIKU_WORST = {
  usd: Math.ceil((1_250 * 200 + ANSWER_TOKENS_MAX.cognition * 500) / 1_000),
  tokens: 1_250 + ANSWER_TOKENS_MAX.cognition,
};

describe('worstCharge', () => {
  it('is what all of the cascade may bill for one call', () => {
    expect(worstCharge('a', [luna], 1_000)).toStrictEqual({ id: 'a', ...LUNA_WORST });
    expect(worstCharge('a', [luna, haiku, local], 1_000)).toStrictEqual({
      id: 'a',
      usd: LUNA_WORST.usd + HAIKU_WORST.usd,
      tokens: 3 * LUNA_WORST.tokens,
    });
    const thinking = { ...luna, tier: 'reasoning' } as const;
    expect(worstCharge('a', [thinking], 1_000)).toStrictEqual({
      id: 'a',
      usd: Math.ceil((1_250 * 125 + 16_384 * 500) / 1_000),
      tokens: 1_250 + 16_384,
    });
    expect(worstCharge('a', [], 1_000)).toStrictEqual({ id: 'a', usd: 0, tokens: 0 });
  });
});

describe('answeredCost', () => {
  const answer = { index: 0, model: 'gpt-6-luna', inputTokens: 900, outputTokens: 40, billed: [] };

  it('counts what the provider says', () => {
    expect(answeredCost([luna], answer, 1_000)).toStrictEqual({ usd: 133, tokens: 940, isEstimated: false });
    expect(answeredCost([luna], { ...answer, cachedTokens: 800 }, 1_000)).toStrictEqual({
      usd: 41,
      tokens: 940,
      savedByCache: 92,
      isEstimated: false,
    });
  });

  it('says what the small model and the cache saved, which add up to what it would have cost without', () => {
    const large = { model: 'gpt-6-sol', contextTokens: 100_000, extraBody: {} };
    // 900 tokens at 2,500 and 40 at 10,000 nano-dollars; at 125 and 500; and 800 of the 900 from
    // the cache, at 10.
    const [without, small, cached] = [2_650, 133, 41];
    expect(answeredCost([{ ...luna, large }], { ...answer, cachedTokens: 800 }, 1_000)).toStrictEqual({
      usd: cached,
      tokens: 940,
      isEstimated: false,
      savedByTier: without - small,
      savedByCache: small - cached,
    });
    const asked = { ...luna, large, model: 'gpt-6-sol' };
    expect(answeredCost([asked], { ...answer, model: 'gpt-6-sol' }, 1_000)).toStrictEqual({
      usd: without,
      tokens: 940,
      isEstimated: false,
    });
  });

  it('counts an answer without usage at its worst', () => {
    const { inputTokens: _, ...silent } = answer;
    expect(answeredCost([luna], silent, 1_000)).toStrictEqual({ ...LUNA_WORST, isEstimated: true });
  });

  it('books to whoever answered, and at worst to whoever may bill a failure before', () => {
    const second = { ...answer, index: 1, model: 'claude-haiku-5-5', billed: [0] };
    expect(answeredCost([luna, haiku], second, 1_000)).toStrictEqual({
      usd: LUNA_WORST.usd + 200,
      tokens: LUNA_WORST.tokens + 940,
      isEstimated: true,
    });
    expect(answeredCost([luna, haiku], { ...second, billed: [] }, 1_000)).toStrictEqual({
      usd: 200,
      tokens: 940,
      isEstimated: false,
    });
  });
});

describe('failedCost', () => {
  it('is nothing where everybody refused, and the worst of those who may have worked', () => {
    expect(failedCost([luna, haiku], [], 1_000)).toStrictEqual({ usd: 0, tokens: 0, isEstimated: false });
    expect(failedCost([luna, haiku], [1], 1_000)).toStrictEqual({ ...HAIKU_WORST, isEstimated: true });
  });
});
