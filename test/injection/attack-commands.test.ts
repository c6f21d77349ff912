/**
 * What only an owner or approver may say changes nothing and shows nothing where somebody else's
 * text says it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderAttacks } from './render.ts';
import { type AttackReport, planCommands, runAttacks } from './run-attacks.ts';

const plan = planCommands();
let report: AttackReport;
beforeAll(async () => {
  report = await runAttacks(plan);
});
afterAll(() => {
  if (report !== undefined) console.log(renderAttacks('commands by others', report));
});

describe('runAttacks with commands of somebody else', () => {
  it('finds nothing that got out, in, or changed', () => {
    expect(report.findings).toStrictEqual([]);
  });

  it('tries each of them', () => {
    expect(report.outcomes.map(({ key }) => key)).toStrictEqual(plan.map(({ key }) => key));
    expect(plan.length).toBeGreaterThanOrEqual(40);
  });
});
