import { describe, expect, it } from 'vitest';
import type { When } from '../../../lib/features/jobs/job.ts';
import { momentsBetween, nextMoment, nextMoments, ruleProblem } from '../../../lib/features/jobs/rule.ts';
import { fc } from '../../support/fast-check.ts';
import { cronRule, scanMinutes } from './scan-minutes.ts';

const cron = (rule: string, zone = 'Europe/Berlin'): When => ({ kind: 'cron', cron: rule, zone });
const once = (at: string, zone = 'Europe/Berlin'): When => ({ kind: 'once', at, zone });

/** Rule, the moment before, and the next moments; `!` marks one that the clock leaves out. */
// biome-ignore format: one case per line
const MOMENTS: readonly (readonly [string, When, string, readonly string[]])[] = [
  ['spring, Berlin', cron('30 2 * * *'), '2026-03-28T12:00', ['2026-03-29T01:00!', '2026-03-30T00:30']],
  ['spring, three times in the gap run once', cron('*/20 2 * * *'), '2026-03-28T12:00', ['2026-03-29T01:00!', '2026-03-30T00:00']],
  ['spring, a range of hours', cron('15 1-3 * * *'), '2026-03-28T20:00', ['2026-03-29T00:15', '2026-03-29T01:00!', '2026-03-29T01:15']],
  ['autumn, Berlin', cron('30 2 * * *'), '2026-10-24T12:00', ['2026-10-25T00:30', '2026-10-26T01:30']],
  ['autumn, a range of hours', cron('15 1-3 * * *'), '2026-10-24T20:00', ['2026-10-24T23:15', '2026-10-25T00:15', '2026-10-25T02:15']],
  ['autumn, every hour keeps its rhythm', cron('15 * * * *'), '2026-10-24T23:59', ['2026-10-25T00:15', '2026-10-25T01:15', '2026-10-25T02:15']],
  ['autumn, @hourly is 0 * * * *', cron('@hourly'), '2026-10-24T23:59', ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']],
  ['spring, @hourly is 0 * * * *', cron('@HOURLY'), '2026-03-28T23:30', ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00']],
  ['@daily, on the days of the change too', cron('@daily'), '2026-10-24T12:00', ['2026-10-24T22:00', '2026-10-25T23:00']],
  ['@midnight that the clock leaves out', cron('@midnight', 'Africa/Cairo'), '2026-04-23T12:00', ['2026-04-23T22:00!', '2026-04-24T21:00']],
  ['@weekly is on Sunday', cron('@weekly', 'UTC'), '2026-11-28T12:00', ['2026-11-29T00:00', '2026-12-06T00:00']],
  ['@monthly', cron('@monthly', 'UTC'), '2026-11-28T12:00', ['2026-12-01T00:00', '2027-01-01T00:00']],
  ['@yearly', cron('@yearly', 'UTC'), '2026-11-28T12:00', ['2027-01-01T00:00', '2028-01-01T00:00']],
  ['@annually', cron('@annually', 'UTC'), '2026-11-28T12:00', ['2027-01-01T00:00', '2028-01-01T00:00']],
  ['spring, Lord Howe: half an hour', cron('15 2 * * *', 'Australia/Lord_Howe'), '2026-10-03T00:00', ['2026-10-03T15:30!', '2026-10-04T15:15']],
  ['autumn, Lord Howe', cron('45 1 * * *', 'Australia/Lord_Howe'), '2026-04-04T12:00', ['2026-04-04T14:45', '2026-04-05T15:15']],
  ['spring, Troll: two hours', cron('30 1 * * *', 'Antarctica/Troll'), '2026-03-28T12:00', ['2026-03-29T01:00!', '2026-03-29T23:30']],
  ['a day at midnight that has none', cron('0 0 * * *', 'Africa/Cairo'), '2026-04-23T12:00', ['2026-04-23T22:00!', '2026-04-24T21:00']],
  ['the 29th of February', cron('0 8 29 2 *', 'UTC'), '2026-11-23T00:00', ['2028-02-29T08:00', '2032-02-29T08:00']],
  ['days of the month or of the week: either fits, also beside a step', cron('0 8 */2 * 1', 'UTC'), '2026-11-28T12:00', ['2026-11-29T08:00', '2026-11-30T08:00', '2026-12-01T08:00', '2026-12-03T08:00']],
  ['every 90 minutes across the change', { kind: 'every', minutes: 90, from: Date.parse('2026-03-29T00:00Z') }, '2026-03-28T00:00', ['2026-03-29T00:00', '2026-03-29T01:30', '2026-03-29T03:00']],
  ['once in the gap', once('2026-03-29T02:30'), '2026-03-01T00:00', ['2026-03-29T01:00!']],
  ['once in the overlap', once('2026-10-25T02:30'), '2026-03-01T00:00', ['2026-10-25T00:30']],
  ['once, over', once('2026-03-29T02:30'), '2026-03-29T01:00', []],
  ['an event', { kind: 'event', source: 'ci' }, '2026-03-29T01:00', []],
];

describe('nextMoments', () => {
  it('computes the moments of every rule', () => {
    for (const [name, when, after, expected] of MOMENTS) {
      const found = nextMoments(when, Date.parse(`${after}Z`)).slice(0, expected.length);
      const shown = found.map(
        ({ at, isShifted }) => `${new Date(at).toISOString().slice(0, 16)}${isShifted ? '!' : ''}`,
      );
      expect(shown, name).toStrictEqual(expected);
    }
  });

  it('gives the same moments from wherever it starts, and never one twice', () => {
    const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'];
    const rule = fc
      .tuple(fc.nat(59), fc.nat(23), fc.constantFrom(...zones), fc.integer({ min: 1, max: 4 }))
      .map(([minute, hour, zone, step]) => cron(`${minute} ${step === 1 ? hour : `*/${step}`} * * *`, zone));
    const start = Date.parse('2026-01-01T00:00Z');
    fc.assert(
      fc.property(rule, fc.integer({ min: 0, max: 366 * 24 * 60 }), fc.nat(3_000), (when, minutes, more) => {
        const from = start + minutes * 60_000;
        const first = nextMoment(when, from);
        expect(first?.at ?? 0).toBeGreaterThan(from);
        const between = Math.min(from + more * 60_000, (first?.at ?? 0) - 1);
        expect(nextMoment(when, between)).toStrictEqual(first);
        expect(nextMoment(when, first?.at ?? 0)?.at ?? 0).toBeGreaterThan(first?.at ?? 0);
      }),
      { numRuns: 300 },
    );
  });
});

/** A zone, and days around which its clock changes, or does not. */
const CHANGES: readonly (readonly [string, readonly string[]])[] = [
  ['UTC', ['2026-03-29']],
  ['Europe/Berlin', ['2026-03-28', '2026-10-24', '2026-06-30']],
  ['America/New_York', ['2026-03-07', '2026-10-31']],
  ['America/Sao_Paulo', ['2018-02-17', '2018-11-03', '2026-02-14']],
  ['Australia/Lord_Howe', ['2026-04-04', '2026-10-03']],
  ['Pacific/Apia', ['2011-12-29', '2021-04-03']],
  ['Asia/Kathmandu', ['2026-03-28']],
  ['Africa/Casablanca', ['2026-02-14', '2026-03-21']],
  ['Africa/Cairo', ['2026-04-23', '2026-10-29']],
  ['Antarctica/Troll', ['2026-03-28', '2026-10-24']],
];

describe('momentsBetween', () => {
  it('finds what a scan of all minutes finds, for random rules around changes of the clock', () => {
    const zones = CHANGES.flatMap(([zone, days]) => days.map((day) => [zone, day] as const));
    const span = fc.tuple(fc.constantFrom(...zones), fc.nat(2 * 24 * 60), fc.integer({ min: 1, max: 2 * 24 * 60 }));
    fc.assert(
      fc.property(cronRule, span, (rule, [[zone, day], first, length]) => {
        const after = Date.parse(`${day}T00:00Z`) + first * 60_000;
        const until = after + length * 60_000;
        expect(momentsBetween(cron(rule, zone), after, until, Number.POSITIVE_INFINITY)).toStrictEqual(
          scanMinutes(rule, zone, after, until),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('nextMoment', () => {
  /** How often the clock of a zone is asked, which takes a tenth of a millisecond. */
  const countClocks = (work: () => unknown): number => {
    const { prototype } = Intl.DateTimeFormat;
    const format = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {};
    let asked = 0;
    Object.defineProperty(prototype, 'format', {
      configurable: true,
      get(this: Intl.DateTimeFormat) {
        asked += 1;
        return format.get?.call(this);
      },
    });
    work();
    Object.defineProperty(prototype, 'format', format);
    return asked;
  };

  it('asks the clock of a zone a few times for each moment of any rule', () => {
    const rules = [
      '@hourly',
      '* 0-23 * * *',
      '*/5 8-18 * * 1-5',
      '* 1,2,3 * * *',
      '0 8 * * *',
      '* * * * *',
      '0 9 29 2 *',
    ];
    // In the second one the clock has just been set back.
    for (const [zone, day] of [
      ['Asia/Kathmandu', '2026-03-29T01:00Z'],
      ['Europe/Berlin', '2026-10-25T01:01Z'],
    ] as const)
      for (const rule of rules) {
        const from = Date.parse(day);
        const asked = countClocks(() => momentsBetween(cron(rule, zone), from, Number.POSITIVE_INFINITY, 50));
        expect(asked / 50, `${rule} in ${zone}`).toBeLessThan(8);
      }
  });
});

describe('ruleProblem', () => {
  const now = Date.parse('2026-11-23T00:00Z');
  it('says what is wrong with a rule and what to give instead', () => {
    const problems = [
      cron('0 8 * * *', 'Mars/Olympus'),
      cron('at eight'),
      cron('* * * * * *'),
      cron('0 0 31 2 *'),
      once('2026-02-30T09:00'),
      once('2020-01-01T09:00'),
      once('2026-11-24T09:00'),
      cron('0 8 * * 1-5'),
    ].map((when) => ruleProblem(when, now));
    const form = 'give minute, hour, day of month, month and day of week, such as 0 8 * * 1-5';
    expect(problems).toStrictEqual([
      'Mars/Olympus is no time zone; give one such as Europe/Berlin',
      `"at eight" is no cron rule: ${form}`,
      `"* * * * * *" is no cron rule: ${form}`,
      'this rule has no moment in the future',
      '2026-02-30T09:00 is no time that exists',
      '2020-01-01T09:00 is over in Europe/Berlin',
      undefined,
      undefined,
    ]);
  });
});
