/** JSON from outside has bounded depth and exact numbers; faults are named, never quoted. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import { asText, describeIssues, Json, parseJson, parseWith } from '../../../lib/core/base/json.ts';
import { JSON_DEPTH_MAX } from '../../../lib/core/base/limits.ts';
import { once } from '../../../lib/core/base/once.ts';

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const problemOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ProtocolError) return error.problem;
    throw error;
  }
  return 'accepted';
};

describe('parseJson', () => {
  it('gives the value', () => {
    expect(parseJson('it', '{"a":[1,null,"x"]}', Json)).toStrictEqual({ a: [1, null, 'x'] });
  });

  it.each(['', '{', '{"a":}', "{'a':1}", 'undefined', '[1,]'])('refuses %j without quoting it', (text) => {
    expect(problemOf(() => parseJson('the body', text, Json))).toBe('the body is not valid JSON');
  });
});

describe('parseWith', () => {
  it('takes values up to the bound of depth, and no deeper', () => {
    expect(problemOf(() => parseWith('it', nested(JSON_DEPTH_MAX), Json))).toBe('accepted');
    expect(problemOf(() => parseWith('it', nested(JSON_DEPTH_MAX + 1), Json))).toBe('it is nested too deeply');
    expect(problemOf(() => parseWith('it', nested(5_000), Json))).toBe('it is nested too deeply');
  });

  it.each([0, -0, 1, -1.5, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e-99])('takes %d', (number) => {
    expect(parseWith('it', { number }, Json)).toStrictEqual({ number });
  });

  it.each([2 ** 53, -(2 ** 53), 1e300, 1e-101, -1e-101])('refuses %d, which would be stored as another', (number) => {
    expect(problemOf(() => parseWith('it', [{ deep: number }], Json))).toMatch(
      /^it holds a number that cannot be kept/,
    );
  });

  it('counts depth through objects as through lists', () => {
    const mixed = (depth: number): unknown =>
      depth === 0 ? 'x' : depth % 2 === 0 ? [mixed(depth - 1)] : { a: mixed(depth - 1) };
    expect(problemOf(() => parseWith('it', mixed(JSON_DEPTH_MAX), Json))).toBe('accepted');
    expect(problemOf(() => parseWith('it', { b: 1, a: mixed(JSON_DEPTH_MAX) }, Json))).toBe('it is nested too deeply');
  });

  it('names fields that do not fit, and never quotes a value', () => {
    const schema = z.strictObject({ name: z.string(), list: z.array(z.int()) });
    const problem = problemOf(() => parseWith('the body', { name: 'secret-value', list: ['secret-value'] }, schema));
    expect(problem).toMatch(/^the body: list\.0 /);
    expect(problem).not.toContain('secret-value');
  });
});

describe('describeIssues', () => {
  const problemsOf = (schema: z.ZodMiniType, value: unknown): string =>
    describeIssues(schema.safeParse(value).error?.issues ?? []);
  const SCHEMA = z.strictObject({ name: z.optional(z.string().check(z.minLength(1), z.maxLength(5))) });
  const SWITCH = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('on'), at: z.number() }),
    z.strictObject({ kind: z.literal('off') }),
  ]);

  it.each<readonly [problem: string, schema: z.ZodMiniType, value: unknown]>([
    ['the whole must be an object', SCHEMA, 5],
    ['the whole must be an object', z.record(z.string(), z.string()), null],
    ['the whole must be a list', z.array(z.string()), {}],
    ['the whole must be a whole number', z.int(), 1.5],
    ['the whole must be a boolean', z.boolean(), 'yes'],
    ['name must be a string', SCHEMA, { name: 5 }],
    ['name is longer than 5 characters', SCHEMA, { name: 'secret-value' }],
    ['name must not be empty', SCHEMA, { name: '' }],
    ['a.1.b must be a number', z.object({ a: z.array(z.object({ b: z.number() })) }), { a: [{ b: 1 }, { b: 'x' }] }],
    ['the whole must be one of on, off', z.enum(['on', 'off']), 'secret-value'],
    ['the whole must be one of 1', z.literal(1), 2],
    ['unknown member more', SCHEMA, { more: 'secret-value' }],
    ['unknown member a, b', SCHEMA, { a: 1, b: 2 }],
    [`unknown member ${'x'.repeat(40)}`, SCHEMA, { ['x'.repeat(41)]: 1 }],
    ['the whole does not fit', z.union([z.string(), z.number()]), true],
    ['kind must be one of on, off', SWITCH, { kind: 'secret-value' }],
    ['at must be a number', SWITCH, { kind: 'on', at: 'secret-value' }],
    ['the whole must be an object', SWITCH, 5],
    ['the whole must be even', z.number().check(z.refine((n) => n % 2 === 0, 'must be even')), 3],
  ])('says: %s', (problem, schema, value) => {
    expect(problemsOf(schema, value)).toBe(problem);
  });

  it('shows invisible characters in the name of an unknown member', () => {
    expect(problemsOf(SCHEMA, { 'a\u202eb': 1 })).not.toContain('\u202e');
  });

  it('names the first eight problems', () => {
    const names = [...'abcdefghij'];
    const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    const problems = names.slice(0, 8).map((name) => `${name} must be a string`);
    expect(problemsOf(schema, {})).toBe(problems.join('; '));
  });
});

describe('lazySchema', () => {
  it('makes its schema once, when it is first asked for', () => {
    let made = 0;
    const schema = once(() => {
      made += 1;
      return z.string();
    });
    expect(made).toBe(0);
    expect(schema()).toBe(schema());
    expect(made).toBe(1);
  });
});

describe('asText', () => {
  const schema = asText(z.strictObject({ a: z.int() }));

  it('reads a value that is stored as text, and one that is stored as itself', () => {
    expect(schema.parse('{"a":1}')).toStrictEqual({ a: 1 });
    expect(schema.parse({ a: 1 })).toStrictEqual({ a: 1 });
  });

  it.each(['', '{', '{"a":"x"}', '[]', null, 1])('refuses %j', (stored) => {
    expect(schema.safeParse(stored).success).toBe(false);
  });
});
