/** The stages of a flight plan follow from the approval alone. */
import { describe, expect, it } from 'vitest';
import { STAGES, stageOf } from '../../lib/approvals/approval.ts';

const END = 1_000;

describe('stageOf', () => {
  it.each([
    ['pending', END - 1, 'PLAN'],
    ['pending', END, 'EXPIRED'],
    ['approved', END - 1, 'APPROVED'],
    ['approved', END + 1, 'APPROVED'],
    ['denied', END - 1, 'DENIED'],
    ['expired', END - 1, 'EXPIRED'],
    ['spent', END + 1, 'DONE'],
  ] as const)('takes %s at %i for %s', (state, now, stage) => {
    expect(stageOf({ state, expiresAtMs: END }, now)).toBe(stage);
  });
});

describe('STAGES', () => {
  it('are told in the order they come in', () => {
    expect(STAGES).toStrictEqual(['PLAN', 'APPROVED', 'DENIED', 'EXPIRED', 'DONE']);
  });
});
