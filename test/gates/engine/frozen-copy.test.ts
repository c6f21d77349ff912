import { describe, expect, it } from 'vitest';
import { JSON_DEPTH_MAX } from '../../../lib/base/limits.ts';
import { frozenCopy } from '../../../lib/gates/engine/frozen-copy.ts';

/** An object or list nested `levels` deep. */
const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};

describe('frozenCopy', () => {
  it('copies and freezes plain data all the way down, and drops undefined members', () => {
    const value = { a: [1, { b: null }], c: 'text', d: undefined, e: Object.assign(Object.create(null), { f: true }) };
    const copy = frozenCopy(value);
    expect(copy).toStrictEqual({ a: [1, { b: null }], c: 'text', e: { f: true } });
    for (const part of [copy, copy.a, copy.a[1], copy.e]) expect(Object.isFrozen(part)).toBe(true);
    for (const part of [value, value.a, value.a[1], value.e]) expect(Object.isFrozen(part)).toBe(false);
  });

  it.each<readonly [string, (inner: unknown) => unknown]>([
    ['objects', (inner) => ({ inner })],
    ['lists', (inner) => [inner]],
  ])('bounds the nesting of %s to one level more than JSON has', (_name, wrap) => {
    const deepest = nested(JSON_DEPTH_MAX + 1, wrap);
    expect(frozenCopy(deepest)).toStrictEqual(deepest);
    expect(() => frozenCopy(nested(JSON_DEPTH_MAX + 2, wrap))).toThrow('the value is nested too deeply');
  });

  it.each<readonly [string, unknown, string]>([
    ['a date', new Date(0), 'the value is not plain data'],
    ['a __proto__ key', JSON.parse('{"__proto__": {}}'), 'the value has a key that objects cannot carry'],
    ['a null __proto__ key', JSON.parse('{"__proto__": null}'), 'the value has a key that objects cannot carry'],
  ])('refuses %s', (_name, value, message) => {
    expect(() => frozenCopy({ value })).toThrow(message);
  });
});
