import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../lib/core/base/estimate-tokens.ts';
import { fc } from '../../support/fast-check.ts';

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['abc', 1],
    ['abcd', 2],
    ['記憶', 2],
  ])('counts %j as %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('never counts a whole less than its longest part, nor more than its parts together', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const whole = estimateTokens(a + b);
        expect(whole).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
        expect(whole).toBeGreaterThanOrEqual(Math.max(estimateTokens(a), estimateTokens(b)));
      }),
    );
  });
});
