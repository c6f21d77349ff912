import { describe, expect, it } from 'vitest';
import { parseUsd, showUsd } from '../../../lib/core/base/money.ts';
import { fc } from '../../support/fast-check.ts';

describe('parseUsd', () => {
  it.each([
    ['5', 5_000_000],
    [' 0.25 ', 250_000],
    ['0.000001', 1],
    ['0', 0],
    ['12.5', 12_500_000],
    ['999999999.999999', 999_999_999_999_999],
  ])('reads %s', (text, microDollars) => {
    expect(parseUsd(text)).toBe(microDollars);
  });

  it.each(['', '-1', '+1', '1e3', '.5', '1.', '0.0000001', '$5', '5 USD', 'NaN', 'Infinity', '1,5', '1234567890', '٣'])(
    'takes %s for no amount',
    (text) => {
      expect(parseUsd(text)).toBeUndefined();
    },
  );
});

describe('showUsd', () => {
  it.each([
    [5_000_000, '$5.00'],
    [250_000, '$0.25'],
    [125, '$0.000125'],
    [1_230_000, '$1.23'],
    [0, '$0.00'],
    [-10_000, '-$0.01'],
  ])('shows %i micro-dollars', (microDollars, text) => {
    expect(showUsd(microDollars)).toBe(text);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (microDollars) => {
        expect(parseUsd(showUsd(microDollars).slice(1))).toBe(microDollars);
      }),
    );
  });
});
