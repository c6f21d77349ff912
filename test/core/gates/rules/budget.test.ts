import { describe, expect, it } from 'vitest';
import { checkBudget } from '../../../../lib/core/gates/rules/budget.ts';
import type { BudgetFacts } from '../../../../lib/core/signal/facts.ts';
import { PASS } from '../../../../lib/core/signal/gate.ts';
import { factsFor, webhookCall } from '../samples.ts';

const check = (budget: BudgetFacts | null) => checkBudget(webhookCall(), factsFor(webhookCall(), { budget }));

describe('checkBudget', () => {
  it('lets through what costs nothing, and what fits to the last micro-dollar', () => {
    expect(check(null)).toBe(PASS);
    expect(check({ cap: 'day', limit: 5_000_000, committed: 4_750_000, requested: 250_000 })).toBe(PASS);
    expect(check({ cap: 'turn', limit: 0, committed: 0, requested: 0 })).toBe(PASS);
  });

  it.each([
    [
      { cap: 'day', limit: 5_000_000, committed: 4_750_001, requested: 250_000 },
      'the tool call-webhook costs $0.25, and $0.249999 of $5.00 is left for today',
    ],
    [
      { cap: 'turn', limit: 100_000, committed: 0, requested: 250_000 },
      'the tool call-webhook costs $0.25, and $0.10 of $0.10 is left for this task',
    ],
    [
      { cap: 'session', limit: 100_000, committed: 200_000, requested: 1 },
      'the tool call-webhook costs $0.000001, and $0.00 of $0.10 is left for this conversation today',
    ],
    [
      { cap: 'job', limit: 0, committed: 0, requested: 1_500_000 },
      'the tool call-webhook costs $1.50, and $0.00 of $0.00 is left for this job today',
    ],
  ] as const)('blocks %o in plain numbers', (budget, reason) => {
    expect(check(budget)).toStrictEqual({ verdict: 'block', reason });
  });
});
