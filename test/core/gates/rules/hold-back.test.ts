/**
 * What may be shown of a text that is still being written: for every way it may be cut into pieces
 * and every place of a secret, not one character of one is ever shown.
 */

import { describe, expect, it } from 'vitest';
import { findConfiguredSecrets } from '../../../../lib/core/gates/rules/find-secrets.ts';
import { buildHoldBack, type HoldBack } from '../../../../lib/core/gates/rules/hold-back.ts';
import { findSecretFormat } from '../../../../lib/core/gates/rules/secret-formats.ts';
import { isPrivateText } from '../../../../lib/core/text/privacy.ts';
import { SECRET_FORMATS } from '../../../../lib/core/text/secret-format-table.ts';
import { fc } from '../../../support/fast-check.ts';
import { GROWTH_MAX, growthOf } from '../../../support/growth.ts';
import { reply } from '../samples.ts';
import { PROVIDERS } from '../secret-corpus.ts';

const none = new Map<string, string>();

/**
 * What was shown in the end, as whoever releases does it: gates over all text so far, then as much
 * as is not held back.
 */
const showAll = (
  pieces: readonly string[],
  holdBack: HoldBack,
  secrets: ReadonlyMap<string, string> = none,
): string => {
  let text = '';
  let shown = '';
  for (const piece of pieces) {
    text += piece;
    const isBlocked = (part: string): boolean =>
      findSecretFormat(reply({ text: part })) !== undefined ||
      findConfiguredSecrets(reply({ text: part }), secrets).length > 0;
    const prefix = text.slice(0, holdBack(text));
    if (prefix.length > shown.length && !isBlocked(text) && !isBlocked(prefix)) {
      expect(prefix.startsWith(shown)).toBe(true);
      shown = prefix;
    }
  }
  return shown;
};

const cutAt = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((to, index) => text.slice(places[index], to));
};
const eachCharacter = (text: string): readonly string[] => [...text];

const WORDS = [
  'the',
  'my',
  'key',
  'is',
  'a',
  'token:',
  'Basic',
  '-----BEGIN',
  'secret',
  'in',
  'sure,',
  'x=1',
  '#',
  '\n',
  '—',
];
const prose = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => `${words.join(' ')} `);
const cuts = fc.oneof(fc.constant<'each'>('each'), fc.array(fc.nat(2_000), { maxLength: 30 }));
const piecesOf = (text: string, how: 'each' | readonly number[]): readonly string[] =>
  how === 'each' ? eachCharacter(text) : cutAt(text, how);

const pem = (name: string): string =>
  `-----BEGIN ${name} KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(30)}-----END ${name} KEY-----`;
/** Forms with a space, with lines, long ones, and such that only what follows makes a secret. */
const SECRETS: readonly string[] = [
  ...Object.values(PROVIDERS).map((make) => make('hold').replace(/^\S+ (?=(?:bearer|basic) )/i, '')),
  pem('PRIVATE'),
  pem('RSA PRIVATE'),
  pem('OPENSSH PRIVATE').replaceAll('-----', '‐‐‐‐‐'),
  `ey${'J'}${'hbGciOiJIUzI1NiJ9'.repeat(20)}.ey${'J'}${'zdWIiOiIxMjM0NTY3ODkwIn0'.repeat(60)}.sig`,
  `postgres://${'admin'}:${'h4nter-of-2-foxes'}@db.example.com/x`,
  `Server=x;Password=${'n0t-Shown-Anywh3re'};Encrypt=yes`,
  `Bearer  ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `api_key   :   "${'aB3dE6gH9jK2mN5pQ8sT1vW4'}"`,
  `pass\u200bword = ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `pаsswоrd: ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `password:\\ ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `password:${'\u200b'.repeat(2_000)} ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `pass${'\u200b'.repeat(2_000)}word ${'\u2060'.repeat(900)}= ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  [...(PROVIDERS.Groq ?? String)('stuffed')].join('\u200b'),
  [...(PROVIDERS.npm ?? String)('escaped')].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  `%2570assword%253A%2520${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `&#112;assword&colon; ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
  `%70assword%3A ${'aB3dE6gH9jK2mN5pQ8sT1vW4'}`,
];

describe('buildHoldBack', () => {
  it('shows nothing of a secret of any form, at any place, in any pieces', () => {
    const holdBack = buildHoldBack(none);
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), prose, prose, cuts, (secret, before, after, how) => {
        // White space ends a word before a secret, as in any text; what stands before a form may be
        // part of another.
        const text = `${before}${secret} ${after}`;
        fc.pre(findSecretFormat(reply({ text: before })) === undefined);
        fc.pre(findSecretFormat(reply({ text })) !== undefined);
        expect(showAll(piecesOf(text, how), holdBack).length).toBeLessThanOrEqual(before.length);
      }),
      { numRuns: 400 },
    );
  });

  it('holds each of them back when it comes character by character, and shows what stands before', () => {
    const holdBack = buildHoldBack(none);
    const before = 'Of course, here it comes at last: ';
    for (const secret of SECRETS) {
      const shown = showAll(eachCharacter(`${before}${secret} and more words follow it`), holdBack);
      expect([secret.slice(0, 12), before.startsWith(shown), shown.length > 10]).toStrictEqual([
        secret.slice(0, 12),
        true,
        true,
      ]);
    }
  });

  const CONFIGURED = new Map([
    ['A', 'correct horse battery 7 staple'],
    ['B', 'sssssssstkey'],
    ['C', 'abcabcabcabd'],
    ['D', 'pä$$w0rd-ünlike'],
  ]);
  const SPELLINGS: readonly ((value: string) => string)[] = [
    (value) => value,
    (value) => [...value].join(' '),
    (value) => [...value].join('\u200b\n'),
    (value) => encodeURIComponent(value),
    (value) => Buffer.from(value).toString('hex'),
    (value) => Buffer.from(value).toString('hex').toUpperCase(),
    (value) => Buffer.from(value).toString('base64'),
    (value) => Buffer.from(`${value}, and a longer text around it`).toString('base64url'),
    (value) =>
      (
        Buffer.from(value)
          .toString('base64')
          .match(/.{1,3}/g) ?? []
      ).join(' '),
    (value) => [...value].map((char) => (char === 'e' ? 'е' : char)).join(''),
    (value) => [...value].map((char) => `&#${char.codePointAt(0)};`).join(' '),
  ];

  it('shows nothing of a configured secret, however it is spelled, at any place, in any pieces', () => {
    const holdBack = buildHoldBack(CONFIGURED);
    const values = fc.constantFrom(...CONFIGURED.values());
    const words = fc
      .array(fc.constantFrom('sss', 'abcabc', 'correct', 'horse', 'the', 'a', 's', 'p'), { maxLength: 8 })
      .map((list) => `${list.join(' ')} `);
    fc.assert(
      fc.property(values, fc.constantFrom(...SPELLINGS), words, words, cuts, (value, spell, before, after, how) => {
        const text = `${before}${spell(value)} ${after}`;
        fc.pre(findConfiguredSecrets(reply({ text }), CONFIGURED).length > 0);
        expect(showAll(piecesOf(text, how), holdBack, CONFIGURED).length).toBeLessThanOrEqual(before.length);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    '# My health :personal:',
    '** A plan that is long, and goes on and on   :work:personal:   ',
    'tags: work, personal',
    '- Tags = [travel, personal]',
    '{"title": "x", "tags": ["work", "personal"]}',
    'This is for @personal eyes',
  ])('shows nothing of a line that is marked private: %s', (line) => {
    const holdBack = buildHoldBack(none);
    const before = 'Here is what I have.\n';
    const shown = showAll(eachCharacter(`${before}${line}\nAnd so on and on.\n`), holdBack);
    expect(isPrivateText(`${before}${line}\n`, [])).toBe(true);
    expect(shown).not.toMatch(/personal/);
    const mark = line.search(/[*#]{1,2} |tags|@/i);
    expect(shown.length).toBeLessThanOrEqual(before.length + mark);
  });

  it('shows a harmless text but for its last word, and lines that may be marked as soon as they are over', () => {
    const holdBack = buildHoldBack(new Map([['A', 'correct horse battery']]));
    const shownOf = (text: string): string => text.slice(0, holdBack(text));
    expect(shownOf('The bike is blue, I thin')).toBe('The bike is blue, I');
    expect(shownOf('The bike is blue, I think ')).toBe('The bike is blue, I think');
    expect(shownOf('Grüße — 今日は “hello” und so wei')).toBe('Grüße — 今日は “hello” und so');
    expect(shownOf('One.\n\n# A heading of wor')).toBe('One.');
    expect(shownOf('One.\n\n# A heading of words\nand th')).toBe('One.\n\n# A heading of words\nand');
    expect(shownOf('Which key ')).toBe('Which');
    expect(shownOf('Which key is it')).toBe('Which key is');
    expect(shownOf('I know that this is correct hor')).toBe('I know that');
    expect(shownOf('word')).toBe('');
    expect(shownOf('')).toBe('');
  });

  it('knows every form with a space in it', () => {
    const withSpace = SECRET_FORMATS.filter(({ pattern }) => / |\\s/.test(pattern.source.replace(/\[\^[^\]]*\]/g, '')));
    expect(withSpace.map(({ name }) => name)).toStrictEqual([
      'AWS secret access key',
      'Sidekiq key',
      'private key',
      'password in a connection string',
      'authorization header',
      'secret value',
      'secret of an option',
    ]);
  });

  it.each(['a ', 'a', '%25', 'key '])('takes time in step with the length of %j, again and again', async (part) => {
    const holdBack = buildHoldBack(new Map([['A', 'a'.repeat(400)]]));
    expect(await growthOf(60_000, (chars) => holdBack(`${part.repeat(chars / part.length)} `))).toBeLessThan(
      GROWTH_MAX,
    );
  });
});
