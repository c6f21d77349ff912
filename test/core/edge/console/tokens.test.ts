/**
 * API_TOKENS: what is taken, and the sentence for each mistake, which names the entry and never a
 * secret.
 */
import { describe, expect, it } from 'vitest';
import { findCaller, isAllowed, parseApiTokens } from '../../../../lib/core/edge/console/tokens.ts';
import { fc } from '../../../support/fast-check.ts';

const APPROVER = 'the-token-of-the-approver';
const T = 'a-token-of-some-script';
const U = 'another-token-of-a-script';
const entry = (token: unknown, scopes: unknown = ['read']) => ({ token, scopes });
const parse = (value: unknown) => parseApiTokens(JSON.stringify(value), APPROVER);

describe('parseApiTokens', () => {
  it('takes named tokens with their scopes, and nothing for an unset one', () => {
    expect(parse({ a: entry(T), 'b-2': entry(U, ['speak', 'read']) })).toStrictEqual({
      tokens: [
        { name: 'a', token: T, scopes: new Set(['read']) },
        { name: 'b-2', token: U, scopes: new Set(['speak', 'read']) },
      ],
      problems: [],
    });
    for (const none of [undefined, '', ' ', '{}'])
      expect(parseApiTokens(none, APPROVER)).toStrictEqual({ tokens: [], problems: [] });
  });

  const FORM = 'must be JSON: name → {"token": "…", "scopes": ["read", "speak" or "speak-as-owner"]}';
  const SCOPES = 'read, speak, speak-as-owner';
  it.each<[unknown, readonly string[]]>([
    [[], [FORM]],
    ['text', [FORM]],
    [null, [FORM]],
    [{ A: entry(T) }, ['entry 1 needs another name: 1-24 of a-z 0-9 -, and a letter first']],
    [{ 'a:b': entry(T) }, ['entry 1 needs another name: 1-24 of a-z 0-9 -, and a letter first']],
    [{ ['x'.repeat(25)]: entry(T) }, ['entry 1 needs another name: 1-24 of a-z 0-9 -, and a letter first']],
    [{ a: T }, ['a must be {"token", "scopes"}']],
    [{ a: { ...entry(T), approve: true } }, ['a has a member beside "token" and "scopes"']],
    [{ a: { scopes: ['read'] } }, ['a needs a "token"']],
    [{ a: entry('') }, ['a needs a "token"']],
    [{ a: entry(7) }, ['a needs a "token"']],
    [{ a: entry('too-short') }, ['a needs a token of 16 characters or more']],
    [{ a: entry(`${T} ${U}`) }, ['a has a token with a space or a character that an HTTP header cannot carry']],
    [{ a: { token: T } }, [`a needs "scopes": a list of ${SCOPES}`]],
    [{ a: entry(T, 'read') }, [`a needs "scopes": a list of ${SCOPES}`]],
    [{ a: entry(T, []) }, [`a needs "scopes": a list of ${SCOPES}`]],
    [{ a: entry(T, ['read', 'speek']) }, [`a has a scope that does not exist, number 2: there are ${SCOPES}`]],
    [{ a: entry(T, ['Read']) }, [`a has a scope that does not exist, number 1: there are ${SCOPES}`]],
    [{ a: entry(T, ['approver']) }, [`a has a scope that does not exist, number 1: there are ${SCOPES}`]],
    [{ a: entry(T, ['read', 'read']) }, ['a has the same scope twice']],
    [
      { a: entry(T, ['speak', 'speak-as-owner']) },
      ["a has both speak and speak-as-owner: its words are either untrusted or the owner's"],
    ],
    [{ a: entry(APPROVER) }, ["a has the approver's token: give it one of its own"]],
    [
      { a: entry(T), b: entry(T) },
      ['a has the token of b: give each its own', 'b has the token of a: give each its own'],
    ],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`n${n}`, entry(`${T}${n}`)])),
      ['has 51 tokens; at most 50 are taken'],
    ],
  ])('refuses %j', (value, problems) => {
    const parsed = value === 'text' ? parseApiTokens('{"a":', APPROVER) : parse(value);
    expect(parsed.problems).toStrictEqual(problems);
    expect(parsed.tokens).toStrictEqual([]);
  });

  it('keeps what fits beside what does not', () => {
    const { tokens, problems } = parse({ a: entry('short'), b: entry(T) });
    expect([tokens.map(({ name }) => name), problems.length]).toStrictEqual([['b'], 1]);
  });

  it('says no secret, whatever is wrong with it, and lets nobody in by a refused entry', () => {
    const secret = fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme-ascii' });
    const scopes = fc.oneof(fc.constantFrom([], ['read'], ['speek'], 'read'), fc.array(secret, { maxLength: 2 }));
    const value = fc.dictionary(fc.string({ maxLength: 8 }), fc.record({ token: secret, scopes }), { maxKeys: 4 });
    fc.assert(
      fc.property(value, (entries) => {
        const { tokens, problems } = parse(entries);
        const taken = new Set(tokens.map(({ name }) => name));
        for (const [name, { token }] of Object.entries(entries)) {
          const isIn = findCaller(`Bearer ${token}`, { approverToken: APPROVER, scripts: tokens }) !== undefined;
          expect(isIn).toBe(taken.has(name));
          expect(problems.some((problem) => problem.includes(token))).toBe(false);
        }
        expect(taken.size === Object.keys(entries).length).toBe(problems.length === 0);
      }),
    );
  });
});

describe('findCaller', () => {
  const [script] = parse({ a: entry(T, ['speak']) }).tokens;
  const tokens = { approverToken: APPROVER, scripts: script === undefined ? [] : [script] };

  it.each([
    [`Bearer ${APPROVER}`, 'approver'],
    [`bearer   ${T}  `, 'script'],
    [`Bearer ${T},`, undefined],
    [`Bearer ${T} ${T}`, undefined],
    [`Bearer${T}`, undefined],
    ['Bearer ', undefined],
    [undefined, undefined],
  ])('knows %j as %s', (header, kind) => {
    expect(findCaller(header, tokens)?.kind).toBe(kind);
  });

  it('allows nothing to a caller without a scope but what needs no token', () => {
    const nobody = { kind: 'script', name: 'a', scopes: new Set<never>() } as const;
    const needs = ['nobody', 'own', 'read', 'speak', 'speak-as-owner', 'approver'] as const;
    expect(needs.filter((need) => isAllowed(nobody, need))).toStrictEqual(['nobody']);
  });
});
