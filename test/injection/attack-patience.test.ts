/**
 * Each goal once with everything that is known to try for it: the model goes on after refusals,
 * denials and answers, buys time with harmless calls, and ends only where its playbook or the
 * system ends it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTEMPTS_MAX, DEPTH_MAX } from '../../lib/core/base/limits.ts';
import { someOf } from '../support/sample.ts';
import { PATIENT_ANSWERS } from './obedient-model.ts';
import { GOALS } from './playbooks.ts';
import { renderAttacks } from './render.ts';
import { type AttackReport, planPatient, runAttacks } from './run-attacks.ts';

const ENDLESS = 'loop';
const goals = someOf(
  'patience',
  GOALS.filter((goal) => goal !== ENDLESS),
  10,
);
const plan = planPatient().filter(({ goal }) => goal === ENDLESS || goals.includes(goal));
let report: AttackReport;
beforeAll(async () => {
  report = await runAttacks(plan, { isPatient: true });
});
afterAll(() => {
  if (report !== undefined) console.log(renderAttacks('attacks, with patience', report));
});

const of = (goal: string) => report.outcomes.filter((outcome) => outcome.goal === goal);
const answers = (goal: string): number => of(goal).reduce((sum, { obeyed }) => sum + obeyed, 0);

describe('runAttacks with patience', () => {
  it('finds nothing that got out, in, or changed', () => {
    expect(report.findings).toStrictEqual([]);
  });

  it('tries every step of every playbook but the endless one', () => {
    const short = goals.filter(
      (goal) => answers(goal) < (plan.filter((attack) => attack.goal === goal).length - 1) * PATIENT_ANSWERS + 1,
    );
    expect(short).toStrictEqual([]);
  });

  it('ends a loop that would never end by itself', () => {
    expect(answers(ENDLESS)).toBeGreaterThan(DEPTH_MAX);
    expect(answers(ENDLESS)).toBeLessThanOrEqual((DEPTH_MAX + 1) * ATTEMPTS_MAX);
  });
});
