import { describe, expect, it } from 'vitest';
import { findConfiguredSecrets, findSecret } from '../../../lib/core/gates/rules/find-secrets.ts';
import { buildSecretPrints, decodedRuns, SECRET_PRINTS } from '../../../lib/core/text/secret-prints.ts';
import { secretValuesOf } from '../../../lib/core/text/secret-values.ts';

const TOKEN = 'Hq7vT2mZx9KcW4rBn8YpLd3GfS6jUaE1oQ5tViXk0Rw';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const held = new Map([
  [
    SECRET_PRINTS,
    buildSecretPrints(
      new Map([
        ['API_TOKENS.ci', TOKEN],
        ['SHORT', 'abc123'],
      ]),
      'salt',
    ),
  ],
]);

describe('findSecret by prints', () => {
  it.each<[string, string]>([
    ['as it is', `token=${TOKEN};`],
    ['at the very end', TOKEN],
    ['in lower case', TOKEN.toLowerCase()],
    ['over two lines', `${TOKEN.slice(0, 9)}\n${TOKEN.slice(9)}`],
    ['with separators', [...TOKEN].join('-')],
    ['with entities', [...TOKEN].map((char) => `&#${char.charCodeAt(0)};`).join('')],
    ['in base64 with words around it', base64(`{"token":"${TOKEN}"}`)],
    ['in base64 behind other letters of base64', `ab${base64(TOKEN)}`],
    ['in base64 in lines', base64(`the token is ${TOKEN}, really`).replace(/.{20}/g, '$&\n')],
    ['in base64 of the URL alphabet', Buffer.from(`??>>${TOKEN}`).toString('base64url')],
    ['in hex with colons', (hex(TOKEN).match(/../g) ?? []).join(':')],
    ['in a long text', `${'word '.repeat(40_000)}${TOKEN}${' word'.repeat(9)}`],
  ])('finds it %s', (_, text) => {
    expect(findSecret(text, held)).toStrictEqual({ name: 'API_TOKENS.ci', isConfigured: true });
  });

  it.each<[string, string]>([
    ['a part of it', TOKEN.slice(0, -1)],
    ['another token', TOKEN.replace('q7', 'q8')],
    ['a secret that is too short', 'abc123'],
    ['its name', 'API_TOKENS.ci'],
    ['nothing', ''],
  ])('finds nothing in %s', (_, text) => {
    expect(findSecret(text, held)).toBeUndefined();
  });

  it('finds nothing by prints that cannot be read, and none of the prints holds the secret', () => {
    expect(findSecret(TOKEN, new Map([[SECRET_PRINTS, 'no JSON']]))).toBeUndefined();
    const prints = (held.get(SECRET_PRINTS) ?? '').toLowerCase();
    for (let at = 0; at + 4 <= TOKEN.length; at += 1)
      expect(prints).not.toContain(
        TOKEN.slice(at, at + 6)
          .toLowerCase()
          .padEnd(6, '~'),
      );
  });

  it('names the field of an action', () => {
    const action = { author: 'model', target: 'tool', explanation: '', args: { [TOKEN]: 1 } } as const;
    expect(findConfiguredSecrets(action, held)).toStrictEqual([{ name: 'API_TOKENS.ci', field: 'args (key)' }]);
  });
});

describe('secretValuesOf', () => {
  it('lets the bytes of a signing secret be found as a program prints them', () => {
    const raw = Buffer.from(
      hex(TOKEN).replace(/../g, (byte) => (Number.parseInt(byte, 16) ^ 0x95).toString(16).padStart(2, '0')),
      'hex',
    );
    const secrets = secretValuesOf(new Map([['WEBHOOK_SECRETS', `{"s":"whsec_${raw.toString('base64')}"}`]]));
    const escaped = [...raw].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    for (const text of [`b'${escaped}'`, JSON.stringify(raw), raw.toString('latin1')])
      expect(findSecret(text, secrets)?.name, text).toMatch(/^WEBHOOK_SECRETS\.s (?:as|decoded)/);
  });

  const bytes = Buffer.from('c6b718aea4f8f4c915f55a1f2c992750', 'hex');
  const key = bytes.toString('base64');
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['OPENAI_API_KEY', ' sk-1 ', { OPENAI_API_KEY: 'sk-1' }],
    ['PROVIDER_KEYS', '{"a":"key-a"}', { 'PROVIDER_KEYS.a': 'key-a' }],
    ['API_TOKENS', '{"ci":{"token":"t","scopes":["read"]}}', { 'API_TOKENS.ci': 't' }],
    ['MCP_SERVERS', '{"m":{"url":"https://m.example","token":"t"}}', { 'MCP_SERVERS.m': 't' }],
    [
      'WEBHOOK_SECRETS',
      `{"s":"whsec_${key}"}`,
      {
        'WEBHOOK_SECRETS.s': key,
        'WEBHOOK_SECRETS.s decoded': bytes.toString('hex'),
        'WEBHOOK_SECRETS.s as numbers': [...bytes].join(' '),
        'WEBHOOK_SECRETS.s as text': bytes.toString('latin1'),
      },
    ],
    [
      'WEBHOOK_TARGETS',
      `{"s":{"url":"https://s.example","secret":"${key}"}}`,
      {
        'WEBHOOK_TARGETS.s': key,
        'WEBHOOK_TARGETS.s decoded': bytes.toString('hex'),
        'WEBHOOK_TARGETS.s as numbers': [...bytes].join(' '),
        'WEBHOOK_TARGETS.s as text': bytes.toString('latin1'),
      },
    ],
    [
      'WEBHOOK_SECRETS',
      `{"s":"whsec_${base64('a plain signing key')}"}`,
      {
        'WEBHOOK_SECRETS.s': base64('a plain signing key'),
        'WEBHOOK_SECRETS.s decoded': hex('a plain signing key'),
        'WEBHOOK_SECRETS.s as numbers': [...Buffer.from('a plain signing key')].join(' '),
        'WEBHOOK_SECRETS.s as text': 'a plain signing key',
      },
    ],
    [
      'WEBHOOK_SECRETS',
      '{"s":{"scheme":"meta","secret":["new one","old one"],"verifyToken":"v"}}',
      { 'WEBHOOK_SECRETS.s': 'new one', 'WEBHOOK_SECRETS.s 2': 'old one', 'WEBHOOK_SECRETS.s verifyToken': 'v' },
    ],
    [
      'WEBHOOK_TARGETS',
      '{"s":{"url":"https://s.example","bearer":"b","headers":{"X-Key":"k"}}}',
      { 'WEBHOOK_TARGETS.s bearer': 'b', 'WEBHOOK_TARGETS.s X-Key': 'k' },
    ],
    ['PROVIDER_KEYS', '{broken', { PROVIDER_KEYS: '{broken' }],
    [SECRET_PRINTS, '{"salt":"s","prints":[]}', { [SECRET_PRINTS]: '{"salt":"s","prints":[]}' }],
  ])('gives the values of %s = %s', (name, value, expected) => {
    expect(Object.fromEntries(secretValuesOf(new Map([[name, value]])))).toStrictEqual(expected);
  });
});

describe('decodedRuns', () => {
  const word = 'twelve bytes';
  it.each([
    ['base64', base64(word)],
    [
      'base64 of half the least length twice, which is none',
      `${base64(word).slice(0, 8)} ${base64(word).slice(0, 8)}`,
      false,
    ],
    ['hex', hex(word)],
    ['upper-case hex', hex(word).toUpperCase()],
    ['hex between colons', hex(word).replace(/..(?=.)/g, '$&:')],
    ['hex between spaces beyond ASCII', hex(word).replace(/..(?=.)/g, '$&\u00a0')],
    ['hex of eleven bytes', hex(word.slice(1)).replace(/..(?=.)/g, '$& '), false],
  ])('reads %s', (_, text, isFound = true) => {
    expect(decodedRuns(`see ${text}.`).some((run) => run.includes(word))).toBe(isFound);
  });

  it('reads a run wherever it begins', () => {
    const misses = Array.from({ length: 60 }, (_, at) => `${'a b.'.repeat(15).slice(0, at)}.`).filter((before) =>
      [base64(word), hex(word)].some((run) => !decodedRuns(`${before}${run}.`).includes(word)),
    );
    expect(misses).toEqual([]);
  });
});
