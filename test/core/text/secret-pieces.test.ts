/**
 * A configured secret, or half of one, is found however it is spelled and encoded; and nothing is
 * found in honest text.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { findConfiguredSecrets } from '../../../lib/core/gates/rules/find-secrets.ts';
import { fc } from '../../support/fast-check.ts';
import { SEED } from '../../support/seed.ts';
import { reply } from '../gates/samples.ts';

const CASES = 10_000;

const reversed = (text: string): string => [...text].reverse().join('');
const rot13 = (text: string): string => [...text].map((char) => (/[a-z]/i.test(char) ? turned(char) : char)).join('');
const turned = (char: string): string => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const other = letters[(letters.indexOf(char.toLowerCase()) + 13) % 26] as string;
  return char === char.toLowerCase() ? other : other.toUpperCase();
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const base32 = (text: string): string => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
};
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${hex(String.fromCharCode(byte))}`).join('');
const decimal = (text: string): string => [...Buffer.from(text)].join(' ');
const bytes = (text: string): string => [...Buffer.from(text)].map((byte) => `0x${byte.toString(16)}`).join(', ');
const same = (text: string): string => text;

type Write = (text: string) => string;
const SPELLINGS: Readonly<Record<string, Write>> = {
  same,
  reversed,
  rot13,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
};
/** With whether other separators and case leave it what it is. */
const ENCODINGS: Readonly<Record<string, readonly [write: Write, isLoose: boolean]>> = {
  none: [same, true],
  hex: [hex, true],
  'bytes in hex': [bytes, false],
  base64: [base64, true],
  base64url: [base64url, true],
  base32: [base32, true],
  percent: [percent, false],
  decimal: [decimal, true],
};
/** Of the secret as it is. */
const CHAINS: Readonly<Record<string, Write>> = {
  'base64 twice': (text) => base64(base64(text)),
  'base64url twice': (text) => base64url(base64url(text)),
  'hex in base64': (text) => base64(hex(text)),
  'base64 in hex': (text) => hex(base64(text)),
  'base64 reversed': (text) => reversed(base64(text)),
  'base32 reversed': (text) => reversed(base32(text)),
  'base64 in rot13': (text) => rot13(base64(text)),
  'hex reversed': (text) => reversed(hex(text)),
  'UTF-16 in hex': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'swapped pairs of bytes': (text) => hex(text).replace(/(..)(..)/g, '$2$1'),
  octal: (text) => [...text].map((char) => char.charCodeAt(0).toString(8).padStart(3, '0')).join(''),
};
const WAYS: readonly (readonly [name: string, write: Write, isLoose: boolean])[] = [
  ...Object.entries(SPELLINGS).flatMap(([spelling, spell]) =>
    Object.entries(ENCODINGS).map(
      ([encoding, [encode, isLoose]]) =>
        [`${spelling}, ${encoding}`, (text: string) => encode(spell(text)), isLoose] as const,
    ),
  ),
  ...Object.entries(CHAINS).map(([name, write]) => [name, write, true] as const),
];

const SEPARATORS = ['', ' ', '-', ':', '.', '\n', '\u200b', ' | ', '_', '\u00a0', '—', '😀', '*', '`'];
const ALPHABETS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  '0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz0123456789',
];
const SECRETS = fc.sample(
  fc
    .constantFrom(...ALPHABETS)
    .chain((alphabet) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: 40, maxLength: 72 })),
  { numRuns: 100, seed: SEED },
);
/** All held at once, as a function holds its own. */
const HELD = new Map(SECRETS.map((value, n) => [`key-${n}`, value]));
const secret = fc.constantFrom(...HELD);
const cutOf: Readonly<Record<string, Write>> = {
  whole: same,
  'first half': (text) => text.slice(0, Math.ceil(text.length / 2)),
  'last half': (text) => text.slice(-Math.ceil(text.length / 2)),
  'middle half': (text) => text.slice(Math.floor(text.length / 4), Math.ceil((text.length * 3) / 4)),
};
const around = fc.string({ maxLength: 20 });

const foundIn = (text: string, held: ReadonlyMap<string, string>): readonly string[] =>
  findConfiguredSecrets(reply({ text }), held).flatMap(({ name, field }) => (field === 'text' ? [name] : []));
const isFoundIn = (text: string, value: string): boolean => foundIn(text, new Map([['key', value]])).length === 1;

describe('a configured secret', () => {
  it(`is found in ${CASES} spellings, encodings, separators and pieces`, () => {
    console.log(`${WAYS.length} ways to write a secret, ${CASES} cases, seed ${SEED}`);
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(...WAYS),
        fc.constantFrom(...Object.keys(cutOf)),
        fc.constantFrom(...SEPARATORS),
        fc.integer({ min: 1, max: 9 }),
        around,
        around,
        ([key, value], [name, write, isLoose], cut, separator, every, before, after) => {
          const written = write((cutOf[cut] as Write)(value));
          const broken = isLoose
            ? [...written].map((char, n) => (n % every === 0 ? separator + char : char)).join('')
            : written;
          // Percent signs and backslashes around it would join in undoing it.
          const [left, right] = [before, after].map((text) => text.replace(/[%&\\\p{L}\p{N}]/gu, ''));
          expect({ name, cut, found: foundIn(`${left} ${broken} ${right}`, HELD) }).toMatchObject({ found: [key] });
        },
      ),
      { numRuns: CASES },
    );
  });

  it('is found within a longer text that was encoded whole', () => {
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(base64, base64url, base32, hex),
        fc.string({ maxLength: 9 }),
        ([key, value], encode, before) => {
          expect(foundIn(encode(`${before}${value}, as you asked`), HELD)).toStrictEqual([key]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const VALUE = 'q7Rm2xKd9TzB4nWc8YhJ5vLs3PfG6uEa';
  it.each([
    ['11 characters of it', VALUE.slice(3, 14), false],
    ['12 characters of it', VALUE.slice(3, 15), true],
    ['three parts in three lines', VALUE.match(/.{12}/g)?.join('\nand then ') ?? '', true],
    ['parts too short to be told from other text', VALUE.match(/.{6}/g)?.join('\nand then ') ?? '', false],
  ])('is found by %s: the bound is as documented', (_, text, isFound) => {
    expect(isFoundIn(text, VALUE)).toBe(isFound);
  });

  it.each([
    ['short', 'x7k2m9q4t1', 'X7K-2M9-Q4T-1'],
    ['short, its last half', 'x7k2m9q4t1w8z3b6', 't1w8z3b6'],
    ['of letters alone, its last half', 'qmxwvbtzlkrjhgfdspnyceua', 'hgfd spny ceua'],
  ])('that is %s is found', (_, value, text) => {
    expect(isFoundIn(`it is ${text}, I think`, value)).toBe(true);
  });
});

/** As a generator of hashes gives them. */
const digests = (count: number, encoding: 'hex' | 'base64'): string =>
  Array.from({ length: count }, (_, n) => createHash('sha512').update(`${SEED}-${n}`).digest(encoding)).join('\n');

const filesUnder = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

describe('honest text', () => {
  it('holds no piece of any secret: prose, code, blobs, hashes, ids', () => {
    const uuids = digests(8_000, 'hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/g, '$1-$2-$3-$4-$5\n');
    const texts = [
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
      ...filesUnder('lib', '.ts'),
      digests(8_000, 'hex'),
      digests(8_000, 'base64'),
      uuids,
    ];
    const secrets = new Map(
      Array.from({ length: 20 }, (_, n): [string, string] => [
        `key-${n}`,
        createHash('sha256')
          .update(`secret ${SEED} ${n}`)
          .digest(n % 2 === 0 ? 'hex' : 'base64url'),
      ]),
    );
    const words = new Map([
      ['passphrase', 'correct-horse-battery-staple'],
      ['short', 'hunter2-of-the-gate'],
    ]);
    const found = [secrets, words].flatMap((held) =>
      texts.flatMap((text) => findConfiguredSecrets(reply({ text }), held)),
    );
    const mb = texts.reduce((sum, { length }) => sum + length, 0) / 1e6;
    console.log(`${found.length} false findings in ${mb.toFixed(1)} MB of honest text, 22 secrets, seed ${SEED}`);
    expect(found).toStrictEqual([]);
  });
});
