import { describe, expect, it } from 'vitest';
import { repeatsEverySeconds } from '../../../lib/gates/rules/work-interval.ts';

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

  const units: readonly (readonly [units: string, seconds: number])[] = [
    ['ms millis milliseconds', 0.002],
    ['s sec secs second seconds', 2],
    ['m min mins minute minutes', 120],
    ['h hour hours', 7_200],
    ['day days', 172_800],
  ];
  it.each(units.flatMap(([names, seconds]) => names.split(' ').map((unit) => [unit, seconds] as const)))(
    'knows the unit %s',
    (unit, seconds) => {
      expect(repeatsEverySeconds({ every: `2 ${unit}` })).toBe(seconds);
      expect(repeatsEverySeconds({ schedule: `rate(2${unit} )` })).toBe(seconds);
      expect(repeatsEverySeconds({ repeat: `Every   2 ${unit}` })).toBe(seconds);
    },
  );

  const fields = ['ms', 'millis', 'second', 'sec', 'secs', 'minute', 'min', 'mins', 'hour', 'day', 'days'];
  it.each(fields)('reads a number in fields that end with %s', (unit) => {
    const seconds = repeatsEverySeconds({ every: `2 ${unit}` });
    for (const start of ['every', 'interval', 'repeat', 'repeatEvery', 'period'])
      expect(repeatsEverySeconds({ [`${start}_${unit}`]: 2 })).toBe(seconds);
    expect(repeatsEverySeconds({ [`not-every-${unit}`]: 2 })).toBeUndefined();
    expect(repeatsEverySeconds({ [`every${unit}ago`]: 2 })).toBeUndefined();
  });

  it.each([
    { crons: '* * * * *' },
    { xcron: '* * * * *' },
    { every: 'not every 5 minutes' },
    { every: '5 minutes or so' },
    { every: '5 minutes)x' },
  ])('reads no schedule in %j', (args) => {
    expect(repeatsEverySeconds(args)).toBeUndefined();
  });
});
