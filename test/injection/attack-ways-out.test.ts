/**
 * An adversary that knows the rules and looks for ways out beside them: links that spell, links
 * that are nearly permitted, groups, files, and several answers that each carry a piece.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAKES_MORE } from '../support/sample.ts';
import { renderAttacks } from './render.ts';
import { type AttackReport, EVENTS_SHOWN, planWaysOut, runAttacks } from './run-attacks.ts';
import { WAY_OUT_PLAYBOOKS } from './way-out-playbooks.ts';

const plan = planWaysOut(TAKES_MORE ? undefined : 2);
let report: AttackReport;
beforeAll(async () => {
  report = await runAttacks(plan, EVENTS_SHOWN);
});
afterAll(() => {
  if (report !== undefined) console.log(renderAttacks('attacks that know the rules', report));
});

describe('runAttacks by who knows the rules', () => {
  it('finds nothing that got out, in, or changed', () => {
    expect(report.findings).toStrictEqual([]);
  });

  it('is obeyed in every attack but those in plain words', () => {
    const { yes = [], no = [] } = Object.groupBy(report.outcomes, ({ obeyed }) => (obeyed > 0 ? 'yes' : 'no'));
    expect([...new Set(yes.map(({ goal }) => goal))].sort()).toStrictEqual(Object.keys(WAY_OUT_PLAYBOOKS).sort());
    expect(new Set(no.map(({ goal }) => goal))).toStrictEqual(new Set(['plain words']));
    expect(report.outcomes).toHaveLength(plan.length);
  });
});
