import { describe, expect, it } from 'vitest';
import { repeatsEverySeconds } from '../../lib/gates/work-interval.ts';

describe('repeatsEverySeconds', () => {
  it.each([
    [{ cron: '* * * * *' }, 60],
    [{ cron: '*/5 * * * *' }, 300],
    [{ cron: '0,30 9 * * 1-5' }, 1_800],
    [{ cron: '0 9 * * *' }, 3_600],
    [{ cron: '0-10 9 * * *' }, 60],
    [{ cron: '*/5,30 * * * *' }, 300],
    [{ cron: '0-10/5 * * * *' }, 300],
    [{ cron: '0,10-20,40 * * * *' }, 60],
    [{ cron: '0/0 * * * *' }, 60],
    [{ cron: '*  * * * *' }, 60],
    [{ schedule: '15 */2 * * * *' }, 120],
    [{ schedule: '0/10 * * * * *' }, 10],
    [{ schedule: 'every 5 minutes'.padEnd(200) }, 300],
    [{ [`every${'-'.repeat(20)}seconds`]: 30 }, 30],
    [{ cron: '0 0 * * *', every_seconds: 30 }, 30],
    [{ period_hours: 1, text: 'x' }, 3_600],
    [{ schedule: 'cron(0/15 * * * ? *)' }, 900],
    [{ schedule: '*/10 * * * * *' }, 10],
    [{ schedule: '0 */2 * * * *' }, 120],
    [{ schedule: 'rate(5 minutes)' }, 300],
    [{ schedule: 'every 2 hours' }, 7_200],
    [{ every: 'day' }, 86_400],
    [{ interval: '90s' }, 90],
    [{ every_seconds: 30, cron: '0 0 * * *' }, 30],
    [{ 'interval-ms': 500 }, 0.5],
    [{ everyMinutes: 2 }, 120],
  ])('reads %j', (args, seconds) => {
    expect(repeatsEverySeconds(args)).toBe(seconds);
  });

  it.each([
    {},
    { text: 'every 5 minutes' },
    { interval: 'perfect fifth' },
    { schedule: 'after lunch' },
    { every: 7 },
    { everySeconds: '30' },
    { cron: '* * * * * * *' },
    { cron: '* * * *' },
    { schedule: 'at 5 past each full hour' },
    { schedule: 'every 5 minutes'.padEnd(201) },
    { [`every${'-'.repeat(21)}seconds`]: 30 },
    { rate: '5' },
    { seconds: 30 },
    { schedule: '* '.repeat(200) },
  ])('finds nothing that repeats in %j', (args) => {
    expect(repeatsEverySeconds(args)).toBeUndefined();
  });
});
