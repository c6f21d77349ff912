import { describe, expect, it } from 'vitest';
import { buildChatBody } from '../../../lib/core/llm/chat-completions.ts';
import { parseConfigured, parseProviderKeys } from '../../../lib/core/llm/configured-providers.ts';
import { MOST_EXPENSIVE, priceOf } from '../../../lib/core/llm/prices.ts';
import { buildCascade, findProvider, withTier } from '../../../lib/core/llm/providers.ts';

const MISTRAL = {
  baseUrl: 'https://api.mistral.example/v1/',
  model: 'small-1',
  reasoningModel: 'large-1',
  contextTokens: 64_000,
  prices: { prompt: 0.25, cached: 0.02, completion: 1.2 },
};
const problemsOf = (value: unknown, keys: Record<string, string> = {}): readonly string[] => {
  const problems: string[] = [];
  parseConfigured(typeof value === 'string' ? value : JSON.stringify(value), new Map(Object.entries(keys)), problems);
  return problems;
};

describe('parseConfigured', () => {
  it('adds an endpoint to the cascade, before those whose keys are present, with its key and its two models', () => {
    const secrets = new Map([
      ['PROVIDER_KEYS', '{"mistral": "k-mistral"}'],
      ['OPENAI_API_KEY', 'k-openai'],
    ]);
    const cascade = buildCascade({ PROVIDERS: JSON.stringify({ mistral: MISTRAL }) }, secrets);
    expect(cascade.map(({ name, model, key, large }) => [name, model, key, large?.model])).toStrictEqual([
      ['mistral', 'small-1', 'k-mistral', 'large-1'],
      ['openai', 'gpt-6-luna', 'k-openai', 'gpt-6-sol'],
    ]);
    expect(cascade[0]).toMatchObject({ baseUrl: 'https://api.mistral.example/v1', contextTokens: 64_000 });
  });

  it('can be named in PROVIDER_CASCADE, with one model or two', () => {
    const settings = { PROVIDERS: JSON.stringify({ mistral: MISTRAL }) };
    const models = (cascade: string) =>
      buildCascade({ ...settings, PROVIDER_CASCADE: cascade }, new Map([['OPENAI_API_KEY', 'k']])).map(
        ({ name, model, large }) => [name, model, large?.model],
      );
    expect(models('openai,mistral:tiny')).toStrictEqual([
      ['openai', 'gpt-6-luna', 'gpt-6-sol'],
      ['mistral', 'tiny', undefined],
    ]);
    expect(models('mistral:tiny|huge')).toStrictEqual([['mistral', 'tiny', 'huge']]);
    expect(models('openai:gpt-6-sol|gpt-6-luna')).toStrictEqual([['openai', 'gpt-6-sol', 'gpt-6-luna']]);
  });

  it('sends the further fields of an endpoint with each of its models', () => {
    const extraBody = { chat_template_kwargs: { enable_thinking: false } };
    const PROVIDERS = JSON.stringify({ own: { ...MISTRAL, extraBody } });
    for (const PROVIDER_CASCADE of ['own', 'own:tiny', 'own:tiny|huge']) {
      const [provider] = buildCascade({ PROVIDERS, PROVIDER_CASCADE }, new Map());
      if (provider === undefined) throw new Error('no provider');
      const body = buildChatBody(withTier(provider, 'reasoning'), { system: '', messages: [], tools: [], tokens: 1 });
      expect(body).toMatchObject(extraBody);
    }
  });

  it('charges what its owner says, and otherwise the dearest price', () => {
    const [priced] = buildCascade({ PROVIDERS: JSON.stringify({ mistral: MISTRAL }) }, new Map());
    if (priced === undefined) throw new Error('no provider');
    expect(priceOf(priced)).toStrictEqual({ prompt: 250, cached: 20, completion: 1_200 });
    expect(priceOf(withTier(priced, 'reasoning'))).toStrictEqual(MOST_EXPENSIVE);
    const { prices: _, ...unpriced } = MISTRAL;
    const [unknown] = buildCascade(
      { PROVIDERS: JSON.stringify({ any: { ...unpriced, model: 'gpt-6-luna' } }) },
      new Map(),
    );
    expect(unknown && priceOf(unknown)).toStrictEqual(MOST_EXPENSIVE);
  });

  it.each([
    ['no JSON', 'mistral', ['PROVIDERS is not JSON: name → {"baseUrl", "model"}']],
    ['a list', [MISTRAL], ['PROVIDERS is not JSON: name → {"baseUrl", "model"}']],
    [
      'the name of a built-in one',
      { openai: MISTRAL },
      ['PROVIDERS: "openai" is no name for one (lower-case letters, digits, "-"; not a built-in one)'],
    ],
    ['no model', { a: { baseUrl: 'https://a.example' } }, ['PROVIDERS: a does not fit: model']],
    ['an unknown field', { a: { ...MISTRAL, key: 'k' } }, ['PROVIDERS: a does not fit: unknown fields']],
    ['no address', { a: { ...MISTRAL, baseUrl: 'here' } }, ['PROVIDERS: a: baseUrl is not an http or https address']],
    [
      'a password in the address',
      { a: { ...MISTRAL, baseUrl: 'https://u:p@a.example' } },
      ['PROVIDERS: a: baseUrl must not hold a user name or password'],
    ],
    ['a field of ours', { a: { ...MISTRAL, extraBody: { messages: [] } } }, ['PROVIDERS: a does not fit: extraBody']],
    ['too many', { a: { ...MISTRAL, extraBody: { x: 'x'.repeat(2_000) } } }, ['PROVIDERS: a does not fit: extraBody']],
    [
      'a price that is none',
      { a: { ...MISTRAL, prices: { prompt: -1, completion: 1 } } },
      ['PROVIDERS: a does not fit: prices.prompt'],
    ],
  ])('refuses %s, and never quotes a value', (_, value, problems) => {
    expect(problemsOf(value)).toStrictEqual(problems);
  });

  it('sends no key over plain http, but to this machine', () => {
    const at = (baseUrl: string) => problemsOf({ a: { ...MISTRAL, baseUrl } }, { a: 'k' });
    expect(at('http://10.0.0.5/v1')).toStrictEqual(['PROVIDERS: a: its key would travel unencrypted']);
    expect(at('http://127.0.0.1:9/v1')).toStrictEqual([]);
    expect(problemsOf({ a: { ...MISTRAL, baseUrl: 'http://10.0.0.5/v1' } })).toStrictEqual([]);
  });
});

describe('parseProviderKeys', () => {
  it('takes what is text, and nothing from what is no JSON', () => {
    expect([...parseProviderKeys('{"a": " k ", "b": 5, "c": ""}')]).toStrictEqual([['a', 'k']]);
    expect([
      ...parseProviderKeys('sk-not-json'),
      ...parseProviderKeys('[1]'),
      ...parseProviderKeys(undefined),
    ]).toStrictEqual([]);
  });
});

describe('findProvider', () => {
  it('finds the entry whose model is wanted, and gives any model to a known provider', () => {
    const cascade = buildCascade({ PROVIDER_CASCADE: 'openai:a,openai:b|c' }, new Map([['OPENAI_API_KEY', 'k']]));
    const model = (name: string, wanted: string) =>
      findProvider(cascade, { name, model: wanted }).map((one) => one.model);
    expect([model('openai', 'b'), model('openai', 'c'), model('openai', 'z'), model('groq', 'a')]).toStrictEqual([
      ['b'],
      ['c'],
      ['z'],
      [],
    ]);
  });
});
