/**
 * What a grant covers, argument by argument: by default nothing but the very action it was made
 * from.
 */

import { describe, expect, it } from 'vitest';
import { type Grant, hasArgument, isUsable, type Loosened } from '../../../lib/core/approvals/grant.ts';
import { isWithin } from '../../../lib/core/approvals/is-within.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import { fc } from '../../support/fast-check.ts';
import { webhookCall } from '../gates/samples.ts';

const NOW = 1_790_000_000_000;

const grantFor = (action: Action, loosened: readonly Loosened[] = [], changes: Partial<Grant> = {}): Grant => ({
  schemaVersion: 1,
  id: 'a'.repeat(12),
  space: 'default',
  session: 'telegram:7',
  policyVersion: 'f'.repeat(64),
  gates: ['permissions'],
  target: action.target,
  ...(action.tool === undefined ? {} : { tool: action.tool }),
  ...(action.to === undefined ? {} : { to: action.to }),
  ...(action.url === undefined ? {} : { url: action.url }),
  ...(action.text === undefined ? {} : { text: action.text }),
  ...(action.args === undefined ? {} : { args: action.args }),
  loosened: [...loosened],
  usesMax: 10,
  uses: 0,
  state: 'live',
  createdAt: NOW,
  createdBy: 'telegram:7',
  fromSignal: 'tg-1-1',
  fromN: 0,
  expiresAtMs: NOW + 1_000,
  ...changes,
});

const call = (args: JsonObject): Action => webhookCall({ args });
const json = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(
  fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__'),
  json,
  { maxKeys: 4 },
);
/** As it comes from the table and from the model: plain data. */
const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

describe('isWithin', () => {
  it('covers pages below the beginning of an address', () => {
    const open = (url: string): Action => ({ ...call({ url }), target: 'tool', tool: 'fetch-url' });
    const docs = [{ path: '/url', kind: 'prefix', prefix: 'https://docs.example.com/guide/' } as const];
    const grant = grantFor(open('https://docs.example.com/guide/'), docs);
    const isIn = (url: string) => isWithin(grant, open(url), 'telegram:7');
    expect(isIn('https://docs.example.com/guide/start?page=2')).toBe(true);
    for (const url of [
      'https://docs.example.com/',
      'https://docs.example.com/guide/../x',
      'https://docs.example.org/guide/',
    ])
      expect(isIn(url)).toBe(false);
  });

  it('covers the action it was made from, whatever its explanation and the order of its arguments', () => {
    fc.assert(
      fc.property(object, fc.string(), (args, explanation) => {
        const action = call(plain(args));
        const reversed = plain(Object.fromEntries(Object.entries(args).reverse()));
        expect(isWithin(grantFor(action), { ...call(reversed), explanation }, 'telegram:7')).toBe(true);
      }),
    );
  });

  it('covers no other arguments', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        const [first, second] = [plain({ body: a }), plain({ body: b })];
        const sorted = (value: unknown): string =>
          JSON.stringify(value, (_, one) =>
            one !== null && typeof one === 'object' && !Array.isArray(one)
              ? Object.fromEntries(Object.entries(one).sort(([x], [y]) => (x < y ? -1 : 1)))
              : one,
          );
        expect(isWithin(grantFor(call(first)), call(second), 'telegram:7')).toBe(sorted(first) === sorted(second));
      }),
    );
  });

  const base = call({ body: { ref: 'release-1', list: [1, { deep: 'x' }] } });
  it.each([
    ['another target', { target: 'tool' }],
    ['another tool', { tool: 'remember' }],
    ['another recipient', { to: 'elsewhere' }],
    ['another address', { url: 'https://evil.example' }],
    ['a text more', { text: 'hi' }],
    ['an argument more', { args: { ...base.args, more: true } }],
    ['no arguments', { args: {} }],
    ['what code wrote', { author: 'code', template: 'x' }],
  ] as const)('does not cover %s', (_name, change) => {
    const wide: Loosened[] = [{ path: '/body', kind: 'any' }];
    expect(isWithin(grantFor(base, wide), { ...base, ...change } as Action, 'telegram:7')).toBe(false);
  });

  it('covers one conversation, or all where a person said so', () => {
    expect(isWithin(grantFor(base), base, 'telegram:8')).toBe(false);
    const { session: _session, ...anywhere } = grantFor(base);
    expect(isWithin(anywhere, base, 'telegram:8')).toBe(true);
  });

  const prefix: Loosened = { path: '/body/ref', kind: 'prefix', prefix: 'release-' };
  it.each([
    ['release-2', true],
    ['release-', true],
    ['release', false],
    ['Release-2', false],
    [' release-2', false],
    ['release-../main', false],
    ['release-%2e%2e', false],
    ['release-\\..', false],
    ['release-\u202e1', false],
    ['release-\n1', false],
    ['release-\uff11', false],
    [['release-2'], false],
    [7, false],
    [null, false],
  ])('reads a prefix strictly: %j is %j', (ref, isCovered) => {
    const action = call({ body: { ref, list: [1, { deep: 'x' }] } });
    expect(isWithin(grantFor(base, [prefix]), action, 'telegram:7')).toBe(isCovered);
  });

  it('looks for a climb only behind the prefix a person gave', () => {
    const dots: Loosened = { path: '/body/ref', kind: 'prefix', prefix: '../docs/' };
    const covers = (ref: string) =>
      isWithin(grantFor(base, [dots]), call({ body: { ref, list: [1, { deep: 'x' }] } }), 'telegram:7');
    expect(covers('../docs/a')).toBe(true);
    expect(covers('../docs/../a')).toBe(false);
  });

  it('finds a loosened place by the whole of its escaped name, and no other by half of it', () => {
    const names = { 'a/b': 'x', 'a~b': 'x', ab: 'x', '': 'x' };
    const covers = (path: string, change: JsonObject) =>
      isWithin(grantFor(call(names), [{ path, kind: 'any' }]), call({ ...names, ...change }), 'telegram:7');
    expect(covers('/a~1b', { 'a/b': 'y' })).toBe(true);
    expect(covers('/a~0b', { 'a~b': 'y' })).toBe(true);
    expect(covers('/ab', { 'a/b': 'y' })).toBe(false);
    expect(covers('/ab', { 'a~b': 'y' })).toBe(false);
    expect(covers('/', { '': 'y' })).toBe(true);
  });

  it('takes nothing for an empty value, and an object for no list', () => {
    const { args: _args, ...bare } = webhookCall();
    const empty = call({});
    expect(isWithin(grantFor(bare), bare, 'telegram:7')).toBe(true);
    expect(isWithin(grantFor(bare), empty, 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(empty), bare, 'telegram:7')).toBe(false);
    const none = { ...bare, args: null } as unknown as Action;
    expect(isWithin(grantFor(none), bare, 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(bare), none, 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: {} })), call({ a: [] }), 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: [] })), call({ a: {} }), 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: { 0: 'x' } })), call({ a: ['x'] }), 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: ['x'] })), call({ a: { 0: 'x' } }), 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: {} })), call({ a: 'x' }), 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: 'x' })), call({ a: {} }), 'telegram:7')).toBe(false);
    expect(isWithin(grantFor(call({ a: [] })), call({ a: 'x' }), 'telegram:7')).toBe(false);
  });

  it('takes a rule it does not know for none', () => {
    const unknown = { path: '/body', kind: 'some' } as unknown as Loosened;
    expect(isWithin(grantFor(base, [unknown]), base, 'telegram:7')).toBe(false);
  });

  it('loosens one place and no other', () => {
    const loosened: Loosened[] = [{ path: '/body/list/1/deep', kind: 'any' }];
    const covers = (body: JsonObject) => isWithin(grantFor(base, loosened), call({ body }), 'telegram:7');
    expect(covers({ ref: 'release-1', list: [1, { deep: { anything: true } }] })).toBe(true);
    expect(covers({ ref: 'release-1', list: [1, {}] })).toBe(false);
    expect(covers({ ref: 'release-1', list: [2, { deep: 'x' }] })).toBe(false);
    expect(covers({ ref: 'release-1', list: [1, { deep: 'x' }, 3] })).toBe(false);
    expect(covers({ ref: 'release-2', list: [1, { deep: 'x' }] })).toBe(false);
  });
});

describe('hasArgument', () => {
  it.each([
    ['/body', true],
    ['/body/a~1b', true],
    ['/body/list/0', true],
    ['/body/list/1', false],
    ['/body/list/length', false],
    ['/constructor', false],
    ['/body/none', false],
    ['/body/list/10', true],
    ['/body/list/00', true],
    ['/body/list/0000000', false],
    ['/body/list/+1', false],
    ['/body/list/1.0', false],
    ['/body/list/1e0', false],
    ['/body/list/', false],
    ['/body/c~0d', true],
    ['/body/c~0', false],
    ['/body/cd', false],
    ['/body/text/0', false],
    ['/body/null/x', false],
    ['', false],
    ['body', false],
    ['xbody', false],
  ])('finds %j: %j', (path, isThere) => {
    const list = Array.from({ length: 11 }, () => 0);
    expect(
      hasArgument(
        { body: { 'a/b': 1, 'c~d': 2, list: path === '/body/list/1' ? [0] : list, text: 'ab', null: null } },
        path,
      ),
    ).toBe(isThere);
  });
});

describe('isUsable', () => {
  it.each([
    [{}, true],
    [{ uses: 9 }, true],
    [{ uses: 10 }, false],
    [{ state: 'revoked' }, false],
    [{ expiresAtMs: NOW }, false],
    [{ expiresAtMs: NOW + 1 }, true],
  ] as const)('judges %j', (changes, isLive) => {
    expect(isUsable(grantFor(webhookCall(), [], changes), NOW)).toBe(isLive);
  });
});
