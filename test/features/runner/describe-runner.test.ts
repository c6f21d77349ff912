import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/core/base/limits.ts';
import { describeRunnerShortly, nameOnCard } from '../../../lib/features/runner/describe-runner.ts';
import type { Runner } from '../../../lib/features/runner/runners.ts';

const NOW = 1_700_000_000_000;
const runner = (seenAt: number | undefined): Runner => ({
  name: 'home',
  publicKey: 'k',
  slot: 1,
  pairedAt: 0,
  pairedBy: 'telegram:7',
  isPaused: false,
  ...(seenAt !== undefined && { seenAt }),
  allow: { hash: '0'.repeat(64), home: '/home/ada', read: [], write: [], programs: [], hasNetwork: false },
});

describe('describeRunnerShortly', () => {
  it.each<[number | undefined, string]>([
    [40 * SECOND_MS, 'ready, last seen just now'],
    [4 * MINUTE_MS, 'ready, last seen 4 minutes ago'],
    [6 * MINUTE_MS, 'away, last seen 6 minutes ago'],
    [17 * MINUTE_MS, 'away, last seen 17 minutes ago'],
    [HOUR_MS, 'away, last seen 1 hour ago'],
    [3 * DAY_MS, 'away, last seen 3 days ago'],
    [undefined, 'away, never started'],
  ])('says of a machine seen %s ms ago: %s', (ms, words) => {
    const one = runner(ms && NOW - ms);
    expect(describeRunnerShortly(one, NOW)).toBe(`home: ${words}`);
    const isAway = words.startsWith('away');
    expect(nameOnCard(one, NOW)).toBe(isAway ? `home (${words}: it would wait for an hour at most)` : 'home');
  });

  it('says at once that a machine was stopped', () => {
    const stopped = { ...runner(NOW), isStopped: true };
    expect(describeRunnerShortly(stopped, NOW)).toBe('home: stopped, last seen just now');
    expect(nameOnCard(stopped, NOW)).toContain('home (stopped, last seen just now: it would wait');
  });
});
