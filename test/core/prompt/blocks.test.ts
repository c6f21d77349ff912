import { describe, expect, it } from 'vitest';
import {
  block,
  cleanText,
  hasRejection,
  REJECTED,
  SITUATION,
  withoutSituation,
} from '../../../lib/core/prompt/blocks.ts';
import { fc } from '../../support/fast-check.ts';

describe('cleanText', () => {
  it('leaves no bracket of ours, no look-alike and no half character in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('⟦', '⟧', '〚', '〛', '\ud800', 'a', '/') }), (text) => {
        expect(cleanText(text)).not.toMatch(/[⟦⟧〚〛]/u);
        expect(cleanText(text).isWellFormed()).toBe(true);
        expect(cleanText(text).length).toBe(text.length);
      }),
    );
  });
});

describe('withoutSituation', () => {
  it('gives the words back that the system added to', () => {
    const situation = block(SITUATION, `It is noon.\n${block(REJECTED, 'no')}`);
    expect(withoutSituation(`hello\n\n${situation}`)).toBe('hello');
    expect(withoutSituation(situation)).toBe('');
    expect(withoutSituation('hello')).toBe('hello');
    expect([hasRejection(situation), hasRejection(block(SITUATION, 'x'))]).toStrictEqual([true, false]);
  });
});
