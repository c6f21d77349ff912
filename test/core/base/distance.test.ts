import { describe, expect, it } from 'vitest';
import { distance } from '../../../lib/core/base/distance.ts';

describe('distance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['bugdet', 'budget', 1],
    ['abc', 'ab', 1],
    ['abc', 'xbc', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('of %s and %s is %i', (left, right, away) => {
    expect(distance(left, right)).toBe(away);
    expect(distance(right, left)).toBe(away);
  });
});
