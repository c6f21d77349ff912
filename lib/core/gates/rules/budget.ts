/**
 * An effect that costs money stays under the caps of its turn, conversation, job and day. This gate
 * explains; the reservation in the claim enforces (`lib/core/money`).
 * - stops: an effect that costs more than is left, in plain numbers
 * - lets through: effects that cost nothing
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { kindName } from './action-kind.ts';

const SCOPES = { turn: 'this task', session: 'this conversation today', job: 'this job today', day: 'today' } as const;

/** Dollars to the last digit. */
const dollars = (microDollars: number): string => `$${(microDollars / 1_000_000).toFixed(6).replace(/0{1,4}$/, '')}`;

export const checkBudget = (action: Action, facts: Facts): Verdict => {
  if (facts.budget === null) return PASS;
  const { cap, limit, committed, requested } = facts.budget;
  if (committed + requested <= limit) return PASS;
  const left = dollars(Math.max(0, limit - committed));
  const scope = SCOPES[cap];
  return {
    verdict: 'block',
    reason: `${kindName(action)} costs ${dollars(requested)}, and ${left} of ${dollars(limit)} is left for ${scope}`,
  };
};
