import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { liveField } from '../../../lib/core/ledger/live-settings.ts';
import type { OwnerSettings } from '../../../lib/core/ledger/owner-settings.ts';
import { withNames } from '../../../lib/core/ledger/provider-names.ts';
import { buildCascade, usableCascade } from '../../../lib/core/llm/providers.ts';
import { saveVault } from '../../../lib/core/store/save-vault.ts';
import { buildReadSecrets, loadVault, VAULT_KEYS } from '../../../lib/core/store/secrets.ts';
import { leaveOutTypedKey, looksLikeKey, takesNoKey } from '../../../lib/core/text/typed-key.ts';
import { readOffers } from '../../../lib/features/providers/offered-models.ts';
import { orderFirst, without } from '../../../lib/features/providers/order.ts';

const folder = mkdtempSync(join(tmpdir(), 'vault-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('readOffers', () => {
  const read = (...data: readonly unknown[]) => readOffers(JSON.stringify({ data }));

  it.each([
    [
      'OpenRouter',
      {
        id: 'a/b',
        context_length: 64_000,
        pricing: { prompt: '0.0000025', completion: '0.00001', input_cache_read: '0.00000025' },
      },
      { model: 'a/b', contextTokens: 64_000, prices: { prompt: 2.5, cached: 0.25, completion: 10 } },
    ],
    ['Groq', { id: 'x', context_window: 131_072 }, { model: 'x', contextTokens: 131_072 }],
    ['vLLM', { id: 'x', max_model_len: 8_192 }, { model: 'x', contextTokens: 8_192 }],
    ['Gemini', { id: 'models/x' }, { model: 'x' }],
    ['a price that varies', { id: 'x', pricing: { prompt: '-1', completion: '-1' } }, { model: 'x' }],
    ['half a price', { id: 'x', pricing: { prompt: '1' } }, { model: 'x' }],
    ['a window of nonsense', { id: 'x', context_length: 1e300 }, { model: 'x' }],
    ['a price of nonsense', { id: 'x', pricing: { prompt: '', completion: 'free' } }, { model: 'x' }],
  ])('takes what %s says', (_, given, model) => {
    expect(read(given)).toStrictEqual([model]);
  });

  it('leaves out what cannot stand in a setting or a terminal, and takes no endless list', () => {
    expect(read({ id: 'a b' }, { id: '\u001b[2J' }, { id: 7 }, null, 'x', { id: 'y'.repeat(200) })).toStrictEqual([]);
    expect(read(...Array.from({ length: 5_000 }, (_v, n) => ({ id: `m${n}` })))).toHaveLength(1_000);
    expect(['', '[]', '{"data":{}}', '<html>'].map(readOffers)).toStrictEqual([[], [], [], []]);
  });
});

describe('a key that is typed in a command', () => {
  it.each([
    'sk-proj-1234567890',
    'gsk_Ab12Cd34Ef56Gh78',
    'xai-0123456789abcdef',
    'AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p',
    '7f3a9c2e5b8d1f4a6c0e9b7d',
    'key=7f3a9c2e5b8d1f4a6c0e9b7d',
    'https://x.example/v1?key=7f3a9c2e5b8d1f4a6c0e',
  ])('is left out: %s', (key) => {
    expect(looksLikeKey(`add x https://x.example/v1 m ${key}`)).toBe(true);
    expect(leaveOutTypedKey(`add x m "${key}", y`)).toBe('add x m "⟨key-left-out⟩", y');
  });

  it.each([
    'anthropic.claude-3-5-sonnet-20241022-v2:0',
    'meta-llama/Llama-3.3-70B-Instruct-Turbo-Free',
    'https://x7k3n9qwe8rty2zz.us-east-1.aws.endpoints.huggingface.cloud/v1',
    'http://127.0.0.1:11434/v1',
    'openai/gpt-oss-120b',
  ])('is no name or address: %s', (word) => {
    expect(looksLikeKey(word)).toBe(false);
    expect(leaveOutTypedKey(word)).toBe(word);
  });

  it('is looked for where providers are spoken of, and nowhere else', () => {
    expect(takesNoKey('provider', 'add x')).toBe(true);
    expect(takesNoKey('config', 'set PROVIDER_KEYS {}')).toBe(true);
    expect(takesNoKey('config', 'set HOME_CHAT 71')).toBe(false);
    expect(takesNoKey('remember', 'the provider key')).toBe(false);
  });
});

describe('the vault', () => {
  const place = { PROVIDER_VAULT_FILE: join(folder, 'vault.json') };

  it('is a file of its owner alone, and empty where there is none', async () => {
    expect(await loadVault(place)).toBe('');
    expect(await loadVault({})).toBe('');
    await saveVault(place, '{"x":1}');
    expect(await loadVault(place)).toBe('{"x":1}');
    expect(statSync(place.PROVIDER_VAULT_FILE).mode & 0o777).toBe(0o600);
  });

  it('is read anew by a function within ten seconds, and gives the same secrets until it changes', async () => {
    const read = buildReadSecrets(['A'], { ...place, A: 'a' });
    await saveVault(place, '{"one":1}');
    const first = await read(0);
    expect([...first]).toStrictEqual([
      [VAULT_KEYS, '{"one":1}'],
      ['A', 'a'],
    ]);
    await saveVault(place, '{"two":2}');
    expect(await read(4_999)).toBe(first);
    expect((await read(9_999)).get(VAULT_KEYS)).toBe('{"two":2}');
    expect(await read(20_000)).toBe(await read(40_000));
  });
});

const keys = (vault: object, others: Readonly<Record<string, string>> = {}) =>
  new Map([...Object.entries(others), [VAULT_KEYS, JSON.stringify(vault)]]);
const PROVIDERS = JSON.stringify({ mine: { baseUrl: 'https://mine.example/v1', model: 'm' } });

describe('a key of the vault', () => {
  const keyAt = (baseUrl: string) =>
    buildCascade({ PROVIDERS, PROVIDER_CASCADE: 'mine' }, keys({ mine: { token: 'secret', baseUrl } }))[0]?.key;

  it('goes to its own address and to no other', () => {
    expect(keyAt('https://mine.example/v1')).toBe('secret');
    expect(keyAt('https://mine.example/v2')).toBe('none');
    expect(keyAt('https://mine.example.evil.net/v1')).toBe('none');
  });

  it('makes no provider asked that nothing names', () => {
    const vault = keys(
      { groq: { token: 'secret', baseUrl: 'https://api.groq.com/openai/v1' } },
      { OPENAI_API_KEY: 'k' },
    );
    expect(buildCascade({}, vault).map(({ name }) => name)).toStrictEqual(['openai']);
    const named = buildCascade({ PROVIDER_CASCADE: 'groq,openai' }, vault);
    expect(named.map(({ name, key }) => [name, key])).toStrictEqual([
      ['groq', 'secret'],
      ['openai', 'k'],
    ]);
  });

  it('is missed in one entry of a cascade alone', () => {
    const settings = { PROVIDERS, PROVIDER_CASCADE: 'gone,groq,mine,openai:x' };
    expect(usableCascade(settings, keys({}, { OPENAI_API_KEY: 'k' }))).toBe('mine,openai:x');
  });
});

const stored = (values: Readonly<Record<string, string>>): OwnerSettings => ({
  schemaVersion: 1,
  round: 3,
  fields: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [liveField(name), { value, by: 'console-approver', at: 1 }]),
  ),
});

describe('the order that is shown', () => {
  const two = JSON.stringify({ near: { baseUrl: 'http://127.0.0.1:9/v1', model: 'n' } });
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['stored providers alone', {}, { PROVIDERS }],
    ['behind those of the environment', { PROVIDERS: two }, { PROVIDERS }],
    ['behind an address of OPENAI_BASE_URL', { OPENAI_BASE_URL: 'http://127.0.0.1:8/v1' }, { PROVIDERS }],
    ['a stored cascade', { PROVIDERS: two }, { PROVIDERS, PROVIDER_CASCADE: 'openai,mine,near' }],
    ['a cascade of the environment', { PROVIDER_CASCADE: 'groq:x,openai' }, { PROVIDERS }],
    ['a cascade with a model for each tier', {}, { PROVIDERS, PROVIDER_CASCADE: 'openai:a|b,mine' }],
  ])('is the one in which they are asked: %s', (_, environment, values) => {
    const secrets = keys({}, { OPENAI_API_KEY: 'k', GROQ_API_KEY: 'k' });
    const known = buildCascade(environment, secrets).map(({ name, model }) => `${name}/${model}`);
    const variables = withNames({ ...environment, PROVIDER_NAMES: known.join(',') }, stored(values));
    const asked = buildCascade(variables, secrets).map(({ name }) => name);
    const shown = (variables.PROVIDER_NAMES ?? '').split(',').map((entry) => entry.split(/[:/]/)[0]);
    expect(shown).toStrictEqual(asked);
  });
});

describe('orderFirst', () => {
  const entries = ['a:small|large', 'b', 'c'];
  it.each([
    ['c', ['c', 'a:small|large', 'b']],
    ['c a', ['c', 'a:small|large', 'b']],
    ['b,new', ['b', 'new', 'a:small|large', 'c']],
    ['a:other', ['a:other', 'b', 'c']],
    ['b b', ['b', 'a:small|large', 'c']],
  ])('puts %j first', (wanted, order) => {
    expect(orderFirst(entries, wanted)).toStrictEqual(order);
  });
  it('knows an entry by its name', () => {
    expect(without(entries, 'a')).toStrictEqual(['b', 'c']);
  });
});
