import { describe, expect, it } from 'vitest';
import { MOST_EXPENSIVE, microDollarsOf, priceOf } from '../../lib/llm/prices.ts';
import { buildCascade, PROVIDER_KEY_NAMES } from '../../lib/llm/providers.ts';

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
