/**
 * Pairing codes: every code is typeable, no two of 40 bits are one, and what a person types is what
 * was made.
 */

import { describe, expect, it } from 'vitest';
import { buildPairingCode, normalisePairingCode, pairingCodeKey } from '../../../lib/core/ledger/pairing-code.ts';
import { fc } from '../../support/fast-check.ts';

const randomHex = fc.bigInt({ min: 0n, max: 2n ** 40n - 1n }).map((bits) => bits.toString(16).padStart(10, '0'));

describe('buildPairingCode', () => {
  it('gives 8 characters without look-alikes, one code for each 40 bits', () => {
    fc.assert(
      fc.property(randomHex, randomHex, (one, other) => {
        expect(buildPairingCode(one)).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
        expect(buildPairingCode(one) === buildPairingCode(other)).toBe(one === other);
      }),
    );
    expect(buildPairingCode('0000000000')).toBe('00000000');
    expect(buildPairingCode('ffffffffffabc')).toBe('ZZZZZZZZ');
  });
});

describe('normalisePairingCode', () => {
  it('reads a code however it is typed', () => {
    fc.assert(
      fc.property(randomHex, (hex) => {
        const code = buildPairingCode(hex);
        const typed = ` ${code.slice(0, 4)}-${code.slice(4)} `.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
        expect(normalisePairingCode(typed)).toBe(code);
        expect(pairingCodeKey('default', typed)).toStrictEqual(pairingCodeKey('default', code));
      }),
    );
  });
});
