import { describe, expect, it } from 'vitest';
import { findConfiguredSecrets } from '../../../../lib/core/gates/rules/find-secrets.ts';
import { fc } from '../../../support/fast-check.ts';
import { reply, toolCall, webhookCall } from '../samples.ts';

const VALUE = 'kX9/pQ+2~vT7&mZ';
const SECRETS = new Map([['console-token', VALUE]]);
const FOUND_IN_TEXT = [{ name: 'console-token', field: 'text' }];

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('findConfiguredSecrets', () => {
  it.each([
    ['verbatim', `The token is ${VALUE}.`],
    ['inside a word', `x${VALUE}x`],
    ['split by spaces', [...VALUE].join(' ')],
    ['split by line breaks', [...VALUE].join('\r\n')],
    ['split by escaped line breaks', [...VALUE].join('\\n')],
    ['split by invisible characters', [...VALUE].join('\u200d')],
    ['in base64', base64(VALUE)],
    ['in base64 with one byte before', base64(`a${VALUE}bc`)],
    ['in base64 with two bytes before', base64(`ab${VALUE}c`)],
    ['in base64 with three bytes before', base64(`abc${VALUE}`)],
    ['in base64 broken into lines', base64(VALUE).replace(/(.{4})/g, '$1\n')],
    ['in base64url', base64url(VALUE)],
    ['in base64url with one byte before', base64url(`a${VALUE}`)],
    ['percent-encoded', encodeURIComponent(VALUE)],
    ['percent-encoded throughout', [...VALUE].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(VALUE))],
    ['in hex', Buffer.from(VALUE).toString('hex')],
    ['in upper-case hex', Buffer.from(VALUE).toString('hex').toUpperCase()],
    ['in spaced hex', Buffer.from(VALUE).toString('hex').replace(/(..)/g, '$1 ')],
    ['in full-width letters', VALUE.replace('kX', 'ｋＸ')],
  ])('finds a value %s', (_, text) => {
    expect(findConfiguredSecrets(reply({ text }), SECRETS)).toStrictEqual(FOUND_IN_TEXT);
  });

  it.each([
    ['explanation', reply({ explanation: VALUE })],
    ['to', reply({ to: VALUE })],
    ['url', webhookCall({ url: `https://example.com/?k=${encodeURIComponent(VALUE)}` })],
    ['args', toolCall({ args: { list: [1, { deep: VALUE }] } })],
    ['args (key)', toolCall({ args: { [VALUE]: 1 } })],
    ['args', toolCall({ args: { first: VALUE.slice(0, 7), second: VALUE.slice(7) } })],
  ])('looks into %s', (field, action) => {
    expect(findConfiguredSecrets(action, SECRETS)).toStrictEqual([{ name: 'console-token', field }]);
  });

  it('finds numeric secrets in numbers', () => {
    const action = toolCall({ args: { pin: 9_471_180_352 } });
    expect(findConfiguredSecrets(action, new Map([['pin', '9471180352']]))).toStrictEqual([
      { name: 'pin', field: 'args' },
    ]);
  });

  it('finds values with letters beyond ASCII when they are percent-encoded', () => {
    const value = 'Käsekuchen-Ω';
    const action = reply({ text: encodeURIComponent(value) });
    expect(findConfiguredSecrets(action, new Map([['word', value]]))).toStrictEqual([{ name: 'word', field: 'text' }]);
  });

  it.each([
    ['another text', 'The backup ran at four.'],
    ['only a part of the value', VALUE.slice(0, -1)],
    ['the name of the secret', 'console-token'],
  ])('finds nothing in %s', (_, text) => {
    expect(findConfiguredSecrets(reply({ text }), SECRETS)).toStrictEqual([]);
  });

  it('finds values that hold what looks like an escape', () => {
    const secrets = new Map([['name', '\\r!!!!!']]);
    for (const text of ['\\r!!!!!', 'x\\r!!!!!x', '\\r ! ! ! ! !']) {
      expect(findConfiguredSecrets(reply({ text }), secrets), text).toStrictEqual([{ name: 'name', field: 'text' }]);
    }
    expect(findConfiguredSecrets(reply({ text: 'stop!!!!!' }), secrets)).toStrictEqual([]);
  });

  it('does not search for values too short to be told from words', () => {
    const secrets = new Map([
      ['short', 'abcde'],
      ['padded', ' a b c '],
      ['empty', ''],
    ]);
    expect(findConfiguredSecrets(reply({ text: 'abcde a b c' }), secrets)).toStrictEqual([]);
  });

  it('finds every secret of six characters or more, in any surroundings and alignment, and gives no value away', () => {
    const surroundings = fc.string({ maxLength: 40 });
    fc.assert(
      fc.property(
        fc.stringMatching(/^[!-~]{6,40}$/),
        surroundings,
        surroundings,
        fc.constantFrom('plain', 'base64', 'base64url', 'hex', 'percent'),
        (value, before, after, encoding) => {
          const inside = `${before}${value}${after}`;
          const text = {
            plain: inside,
            base64: base64(inside),
            base64url: base64url(inside),
            hex: Buffer.from(inside).toString('hex'),
            percent: `${before}${encodeURIComponent(value)}${after}`,
          }[encoding];
          const found = findConfiguredSecrets(reply({ text }), new Map([['name', value]]));
          expect(found.filter(({ field }) => field === 'text')).toStrictEqual([{ name: 'name', field: 'text' }]);
        },
      ),
    );
  });

  it('names each secret in each field it stands in, in the order of the secrets', () => {
    const secrets = new Map([
      ['first', 'zq9k4x'],
      ['second', 'hw7mp2'],
    ]);
    const action = reply({ text: 'hw7mp2 and zq9k4x', explanation: 'hw7mp2' });
    const found = findConfiguredSecrets(action, secrets);
    expect(found.map(({ name, field }) => `${name} ${field}`).sort()).toStrictEqual([
      'first text',
      'second explanation',
      'second text',
    ]);
    expect(found[0]?.name).toBe('first');
    expect(findConfiguredSecrets(action, new Map([['short', 'hw7mp']]))).toStrictEqual([]);
  });
});
