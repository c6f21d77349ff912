import { describe, expect, it } from 'vitest';
import { defined } from '../../../lib/core/base/defined.ts';

describe('defined', () => {
  it('drops undefined fields only, and keeps the order of the others', () => {
    const fields = { b: undefined, z: null, y: 0, x: '', a: false, n: Number.NaN, list: [undefined] };
    const kept = defined(fields);
    expect(kept).toStrictEqual({ z: null, y: 0, x: '', a: false, n: Number.NaN, list: [undefined] });
    expect(Object.keys(kept)).toStrictEqual(['z', 'y', 'x', 'a', 'n', 'list']);
  });

  it('gives a new object, and leaves the one it was given as it was', () => {
    const fields = { a: undefined, b: { c: undefined } };
    expect(defined(fields).b).toBe(fields.b);
    expect(Object.keys(fields)).toStrictEqual(['a', 'b']);
  });
});
