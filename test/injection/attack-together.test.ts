/**
 * Models that agree are no consent: where a second model says the same, and the owner's policy lets
 * webhooks be called without asking, what was made from outside text still waits for a person.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderAttacks } from './render.ts';
import { type AttackReport, planTogether, runAttacks } from './run-attacks.ts';

let report: AttackReport;
beforeAll(async () => {
  report = await runAttacks(planTogether(), { isPatient: true, isTogether: true });
});
afterAll(() => {
  if (report !== undefined) console.log(renderAttacks('attacks, two models that agree', report));
});

describe('runAttacks with two models that agree', () => {
  it('finds nothing that got out, in, or changed', () => {
    expect(report.findings).toStrictEqual([]);
  });

  it('asks both', () => {
    expect(report.models).toStrictEqual(['model-1', 'model-2']);
  });

  it('is obeyed in every attack, and asks a person where something would leave', () => {
    expect(report.outcomes.filter(({ obeyed }) => obeyed === 0)).toStrictEqual([]);
    expect(report.outcomes.find(({ goal }) => goal === 'webhook')?.asked).toBeGreaterThan(0);
  });
});
