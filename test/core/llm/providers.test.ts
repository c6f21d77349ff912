import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { PROMPT_TOKENS_MAX } from '../../../lib/core/base/limits.ts';
import { answerTokensOf, worstCharge } from '../../../lib/core/llm/prices.ts';
import {
  buildCascade,
  type CascadeSettings,
  findProvider,
  promptTokensMax,
  thinkingOf,
  withTier,
} from '../../../lib/core/llm/providers.ts';
import { DEFAULT_CAPS } from '../../support/default-caps.ts';

const ALL_KEYS = {
  OPENAI_API_KEY: 'k-openai',
  ANTHROPIC_API_KEY: 'k-anthropic',
  OPENROUTER_API_KEY: 'k-openrouter',
  GROQ_API_KEY: 'k-groq',
  GEMINI_API_KEY: 'k-gemini',
};

const cascade = (settings: CascadeSettings, secrets: Record<string, string> = {}) =>
  buildCascade(settings, new Map(Object.entries(secrets)));
const short = (settings: CascadeSettings, secrets: Record<string, string> = {}) =>
  cascade(settings, secrets).map(({ name, model, baseUrl, key }) => ({ name, model, baseUrl, key }));
const names = (settings: CascadeSettings, secrets: Record<string, string> = {}) =>
  cascade(settings, secrets).map(({ name }) => name);
const problemsOf = (settings: CascadeSettings, secrets: Record<string, string> = {}): readonly string[] => {
  try {
    cascade(settings, secrets);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('buildCascade', () => {
  it('gives an empty list where nothing is configured', () => {
    expect(cascade({})).toStrictEqual([]);
    expect(cascade({ OPENAI_BASE_URL: ' ', PROVIDER_CASCADE: ' , ' }, { OPENAI_API_KEY: ' ' })).toStrictEqual([]);
  });

  it('takes the providers whose keys are present, an Ollama last and only by its address', () => {
    expect(names({}, ALL_KEYS)).toStrictEqual(['openrouter', 'openai', 'anthropic', 'groq', 'gemini']);
    expect(names({ OLLAMA_BASE_URL: 'http://127.0.0.1:11434' }, { GROQ_API_KEY: 'k' })).toStrictEqual([
      'groq',
      'ollama',
    ]);
  });

  it('makes openai custom at another address, first, with an optional key', () => {
    const settings = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/', OPENAI_MODEL: 'tiny' };
    expect(short(settings)).toStrictEqual([
      { name: 'custom', model: 'tiny', baseUrl: 'http://127.0.0.1:9/v1', key: 'none' },
    ]);
    expect(short({ ...settings, PROVIDER_CASCADE: 'openai' }, ALL_KEYS)).toStrictEqual([
      { name: 'custom', model: 'tiny', baseUrl: 'http://127.0.0.1:9/v1', key: 'k-openai' },
    ]);
    expect(names(settings, ALL_KEYS)).toStrictEqual(['custom', 'openrouter', 'anthropic', 'groq', 'gemini']);
  });

  it("keeps openai's own fields at openai's own address", () => {
    const [openai] = cascade({ OPENAI_BASE_URL: 'https://api.openai.com/v1/' }, ALL_KEYS).filter(
      ({ name }) => name === 'openai',
    );
    expect(openai).toMatchObject({ key: 'k-openai', extraBody: { reasoning_effort: 'none' } });
    expect(openai).not.toHaveProperty('keyName');
  });

  it('follows PROVIDER_CASCADE, with models of its own', () => {
    const settings = { PROVIDER_CASCADE: 'Groq:llama-x, ollama:qwen3:8b ,openai', OPENAI_MODEL: 'gpt-4.1' };
    expect(short(settings, ALL_KEYS)).toStrictEqual([
      { name: 'groq', model: 'llama-x', baseUrl: 'https://api.groq.com/openai/v1', key: 'k-groq' },
      { name: 'ollama', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1', key: 'none' },
      { name: 'openai', model: 'gpt-4.1', baseUrl: 'https://api.openai.com/v1', key: 'k-openai' },
    ]);
    expect(cascade(settings, ALL_KEYS).map(({ extraBody }) => extraBody)).toStrictEqual([{}, {}, {}]);
  });

  it('gives OPENAI_MODEL to the first provider where no openai is among them', () => {
    expect(short({ OPENAI_MODEL: 'claude-x' }, { ANTHROPIC_API_KEY: 'k' })[0]?.model).toBe('claude-x');
  });

  it('names every problem at once', () => {
    expect(
      problemsOf(
        { PROVIDER_CASCADE: 'openai,grok,custom,gemini', OLLAMA_BASE_URL: 'ftp://x' },
        { GEMINI_API_KEY: 'k' },
      ),
    ).toStrictEqual([
      'OLLAMA_BASE_URL is not an http or https address',
      'PROVIDER_CASCADE names "grok", which is none of openrouter, openai, anthropic, groq, gemini, ollama, custom',
      'PROVIDER_CASCADE names openai, but OPENAI_API_KEY is not set',
      'PROVIDER_CASCADE names custom, but OPENAI_BASE_URL is not set',
    ]);
    expect(problemsOf({ OPENAI_BASE_URL: 'https://user:pw@host/v1' })).toStrictEqual([
      'OPENAI_BASE_URL must not hold a user name or password',
    ]);
  });
});

describe('the bound of an answer', () => {
  const boundOf = (contextTokens: number) => {
    const [ollama] = cascade({ OLLAMA_BASE_URL: 'http://127.0.0.1:1', OLLAMA_CONTEXT_LENGTH: String(contextTokens) });
    if (ollama === undefined) throw new Error('no provider');
    return [ollama, withTier(ollama, 'reasoning')].map(answerTokensOf);
  };

  it('goes by tier, and leaves a small window to the prompt', () => {
    expect(boundOf(128_000)).toStrictEqual([4_096, 16_384]);
    expect(boundOf(32_000)).toStrictEqual([4_096, 8_000]);
    expect(boundOf(4_096)).toStrictEqual([1_024, 1_024]);
  });

  it('is found again with the provider that is asked', () => {
    const providers = cascade({}, ALL_KEYS);
    const found = providers.map((one) => findProvider(providers, withTier(one, 'reasoning'))[0]);
    expect(found.map((one) => one && [one.model, answerTokensOf(one)])).toStrictEqual([
      ['openrouter/auto', 16_384],
      ['gpt-6-sol', 16_384],
      ['claude-sonnet-5-5', 16_384],
      ['openai/gpt-oss-120b', 16_384],
      ['gemini-3.5-flash', 16_384],
    ]);
  });

  it('asks any model of a provider to think, and only the large tier', () => {
    const asked = cascade({ PROVIDER_CASCADE: 'anthropic:claude-opus-5-5,openai:gpt-4.1|o9' }, ALL_KEYS);
    const large = asked.flatMap((one) => findProvider(asked, withTier(one, 'reasoning')));
    expect(large.map((one) => [one.model, thinkingOf(one)?.over])).toStrictEqual([
      ['claude-opus-5-5', 'chat'],
      ['o9', 'responses'],
    ]);
    const easy = asked.flatMap((one) => findProvider(asked, withTier(one, 'reasoning', false)));
    expect(easy.map((one) => [one.model, thinkingOf(one)])).toStrictEqual([
      ['claude-opus-5-5', undefined],
      ['o9', undefined],
    ]);
    expect(asked.map(thinkingOf)).toStrictEqual([undefined, undefined]);
  });

  it('fits under the default cap of one task, whichever providers have a key', () => {
    const large = cascade({}, ALL_KEYS).map((one) => withTier(one, 'reasoning'));
    expect(worstCharge('a', large, PROMPT_TOKENS_MAX).usd).toBeLessThan(DEFAULT_CAPS.turn);
  });
});

describe('promptTokensMax', () => {
  it('is the bound of prompts, or what the first provider can hold beside its answer', () => {
    expect(promptTokensMax([])).toBe(16_000);
    expect(promptTokensMax(cascade({}, ALL_KEYS))).toBe(16_000);
    expect(promptTokensMax(cascade({ OLLAMA_BASE_URL: 'http://127.0.0.1:1' }))).toBe(3_072);
    expect(promptTokensMax(cascade({ OLLAMA_BASE_URL: 'http://127.0.0.1:1', OLLAMA_CONTEXT_LENGTH: '32768' }))).toBe(
      16_000,
    );
  });
});
