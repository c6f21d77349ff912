import { describe, expect, it } from 'vitest';
import { REDACTED, redactLogs } from '../../lib/prompt/turn-section.ts';

const secrets = new Map([['HOOK_SECRET', 'correct-horse-battery']]);

describe('redactLogs', () => {
  it.each([
    ['nothing', [], []],
    ['plain ids', ['tg-1-7 acted', 'wh-tracker:evt_12 refused'], ['tg-1-7 acted', 'wh-tracker:evt_12 refused']],
    ['a configured secret', ['tg-1-7 acted', 'wh-x:correct-horse-battery acted'], ['tg-1-7 acted', REDACTED]],
    [
      'one in hex',
      [`wh-x:${Buffer.from('correct-horse-battery').toString('hex')} acted`, 'con-1 acted'],
      [REDACTED, 'con-1 acted'],
    ],
    ['the form of one', [`wh-x:ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)} acted`], [REDACTED]],
    ['a part of one', ['wh-x:correct-horse', '-battery acted'], [REDACTED, '-battery acted']],
  ])('leaves out events with a secret: %s', (_, logs, shown) => {
    expect(redactLogs(logs, secrets)).toStrictEqual(shown);
  });
});
