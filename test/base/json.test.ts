/** JSON from outside has bounded depth and exact numbers; faults are named, never quoted. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ProtocolError } from '../../lib/base/errors.ts';
import { asText, Json, parseJson, parseWith } from '../../lib/base/json.ts';
import { JSON_DEPTH_MAX } from '../../lib/base/limits.ts';

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

  it('names fields that do not fit, and never quotes a value', () => {
    const schema = z.strictObject({ name: z.string(), list: z.array(z.int()) });
    const problem = problemOf(() => parseWith('the body', { name: 'secret-value', list: ['secret-value'] }, schema));
    expect(problem).toMatch(/^the body: list\.0 /);
    expect(problem).not.toContain('secret-value');
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
