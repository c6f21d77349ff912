import { describe, expect, it } from 'vitest';
import type { Job, JobDefinition } from '../../../lib/features/jobs/job.ts';
import { planDue, startOf } from '../../../lib/features/jobs/plan-due.ts';
import { sampleJob } from './sample-job.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-23T08:00Z');

const jobWith = (changes: Partial<JobDefinition>, running = 0): Job => ({
  schemaVersion: 1,
  name: 'morning',
  version: 1,
  state: 'active',
  definition: sampleJob({ when: { kind: 'every', minutes: 10, from: START + 10 * MINUTE }, ...changes }),
  accountedTo: START,
  running,
  failures: 0,
});

/** `<state> <minutes after the start>`, for a tick so many minutes after it. */
const plan = (minutes: number, changes: Partial<JobDefinition> = {}, running = 0, refusal?: string) =>
  planDue(jobWith(changes, running), START + minutes * MINUTE, refusal).planned.map(
    ({ state, instant, after }) => `${state} ${(instant - START) / MINUTE} after ${((after ?? 0) - START) / MINUTE}`,
  );

describe('planDue', () => {
  it('gives every moment that is due an outcome, and names the moment before it', () => {
    expect([
      plan(9),
      plan(10),
      plan(13),
      plan(14),
      plan(31),
      plan(10, {}, 1),
      plan(10, { overlap: 'queue' }, 1),
      plan(10, {}, 0, 'everything was stopped'),
      plan(14, { catchUp: { mode: 'skip', minutes: 60, runs: 1 } }),
      plan(31, { catchUp: { mode: 'all', minutes: 15, runs: 3 } }),
      plan(600, {
        catchUp: { mode: 'once', minutes: 60, runs: 1 },
        when: { kind: 'every', minutes: 500, from: START },
      }),
    ]).toStrictEqual([
      [],
      ['fired 10 after 0'],
      ['fired 10 after 0'],
      ['late 10 after 0'],
      ['missed 10 after 0', 'missed 20 after 10', 'fired 30 after 20'],
      ['skipped 10 after 0'],
      ['fired 10 after 0'],
      ['skipped 10 after 0'],
      ['missed 10 after 0'],
      ['missed 10 after 0', 'late 20 after 10', 'fired 30 after 20'],
      ['missed 500 after 0'],
    ]);
  });

  it('says when the next moment starts, and that a rule has come to its end', () => {
    const once = jobWith({ when: { kind: 'once', at: '2026-11-23T08:10', zone: 'UTC' } });
    expect(planDue(jobWith({}), START + 10 * MINUTE, undefined).nextDueAt).toBe(START + 20 * MINUTE);
    expect(planDue(once, START + 10 * MINUTE, undefined)).toMatchObject({
      planned: [{ state: 'fired' }],
      nextDueAt: undefined,
    });
  });

  it('leaves a moment to its own second of the spread, and gives those before it an outcome', () => {
    const changes = { name: 'job-0', spreadSeconds: 300, catchUp: { mode: 'all', minutes: 60, runs: 3 } } as const;
    const offset = (startOf(jobWith(changes).definition, START) - START) / MINUTE;
    expect(offset).toBeGreaterThan(0);
    expect([plan(10 + offset / 2, changes), plan(20 + offset / 2, changes)]).toStrictEqual([[], ['late 10 after 0']]);
  });

  it('spreads jobs that are due at one moment, each to the same second every time', () => {
    const spread = Array.from({ length: 200 }, (_, n) => {
      const definition = jobWith({ name: `job-${n}`, spreadSeconds: 300 }).definition;
      expect(startOf(definition, START)).toBe(startOf(definition, START));
      return (startOf(definition, START) - START) / 1000;
    });
    expect(Math.min(...spread)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...spread)).toBeLessThanOrEqual(300);
    const minutes = new Set(spread.map((seconds) => Math.floor(seconds / 60)));
    expect([...minutes].length).toBeGreaterThanOrEqual(5);
  });
});
