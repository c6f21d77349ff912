import { describe, expect, it } from 'vitest';
import type { ProviderFault } from '../../lib/base/errors.ts';
import { chooseNextStep } from '../../lib/llm/cascade.ts';

const failure = (fault: ProviderFault, more: { mayBeBilled?: boolean; retryAfterMs?: number } = {}) => ({
  fault,
  reason: 'x',
  isTransient: false,
  mayBeBilled: false,
  ...more,
});
const usual = { isLast: false, isRepeat: false, leftMs: 60_000 };

describe('chooseNextStep', () => {
  it.each([
    ['a rate limit with a short wait', failure('busy', { retryAfterMs: 900 }), usual, { kind: 'again', afterMs: 900 }],
    ['one with a long wait', failure('busy', { retryAfterMs: 4_000 }), usual, { kind: 'next' }],
    [
      'a long wait of the last',
      failure('busy', { retryAfterMs: 4_000 }),
      { ...usual, isLast: true },
      { kind: 'again', afterMs: 4_000 },
    ],
    [
      'an insane wait of the last',
      failure('busy', { retryAfterMs: 60_000 }),
      { ...usual, isLast: true },
      { kind: 'next' },
    ],
    [
      'a wait longer than the time left',
      failure('busy', { retryAfterMs: 900 }),
      { ...usual, leftMs: 900 },
      { kind: 'next' },
    ],
    ['no word on waiting', failure('down'), usual, { kind: 'next' }],
    ['no word on waiting of the last', failure('down'), { ...usual, isLast: true }, { kind: 'again', afterMs: 500 }],
    ['what may be billed', failure('down', { mayBeBilled: true }), { ...usual, isLast: true }, { kind: 'next' }],
    ['a second failure', failure('busy', { retryAfterMs: 1 }), { ...usual, isRepeat: true }, { kind: 'next' }],
    ['a prompt too long', failure('overflow'), usual, { kind: 'shrink' }],
    ['a prompt too long twice', failure('overflow'), { ...usual, isRepeat: true }, { kind: 'next' }],
    ['a wrong key', failure('auth'), { ...usual, isLast: true }, { kind: 'next' }],
    ['no credit', failure('billing'), { ...usual, isLast: true }, { kind: 'next' }],
    ['content it refuses', failure('policy'), usual, { kind: 'stop' }],
    ['content it refuses the second time', failure('policy'), { ...usual, isRepeat: true }, { kind: 'stop' }],
  ] as const)('decides on %s', (_, failed, situation, step) => {
    expect(chooseNextStep(failed, situation)).toStrictEqual(step);
  });
});
