import { describe, expect, it } from 'vitest';
import { fitsShape, Shape } from '../../../lib/core/approvals/shape.ts';
import { GROWTH_MAX, growthOf } from '../../support/growth.ts';

describe('Shape', () => {
  it.each([
    '[0-9]{1,6}',
    '[A-Z]{2,5}-\\d+',
    'v\\d+\\.\\d+\\.\\d+',
    '[+*?(|)]',
    'release-.+',
    '\\(\\d\\)',
    '\\[[a-z]+\\]',
  ])('takes the pattern %s', (pattern) => {
    expect(Shape.safeParse(pattern).success).toBe(true);
  });

  it.each([
    '',
    '(a+)+',
    'a|b',
    '^a$',
    'a+b+c+d+',
    '(?=x)',
    '\\p{L}+',
    '[',
    '\\1',
    'x\\\\|.*',
    '\\\\(a+)+',
    '\\\\*\\\\*\\\\*\\\\*',
    '\\[?|.*[x]',
    '\\[(a+)+[x]',
    'x'.repeat(101),
    [],
    { from: 2, to: 1 },
    { from: 1 },
    { to: Number.NaN, from: 0 },
  ])('refuses %j', (shape) => {
    expect(Shape.safeParse(shape).success).toBe(false);
  });
});

describe('fitsShape', () => {
  it.each<[Shape, unknown, boolean]>([
    ['[0-9]{1,6}', '123456', true],
    ['[0-9]{1,6}', 12, true],
    ['[0-9]{1,6}', '1234567', false],
    ['[0-9]{1,6}', 'x12', false],
    ['[0-9]{1,6}', '12\n', false],
    ['.+', 'a\u200bb', false],
    ['[^/]+', 'a\nb', false],
    ['[^/]+', 'a\u2028b', false],
    ['.+', 'x'.repeat(201), false],
    ['.+', null, false],
    ['.+', { a: 1 }, false],
    [['open', 2, true], 'open', true],
    [['open', 2, true], 2, true],
    [['open', 2, true], true, true],
    [['open'], 'Open', false],
    [['open'], 'open ', false],
    [{ from: 1, to: 30 }, 30, true],
    [{ from: 1, to: 30 }, '7.5', true],
    [{ from: 1, to: 30 }, 31, false],
    [{ from: 1, to: 30 }, '1e1', false],
    [{ from: 1, to: 30 }, ' 7', false],
    [{ from: 1, to: 30 }, '', false],
    [{ from: -5, to: 0 }, '-5', true],
  ])('%j, %j: %j', (shape, value, fits) => {
    expect(fitsShape(shape, value)).toBe(fits);
  });

  it('takes time in proportion to the value', async () => {
    expect(await growthOf(200_000, (chars) => fitsShape('.*.*.*x', 'a'.repeat(chars)))).toBeLessThan(GROWTH_MAX);
  });
});
