/**
 * Keeps to the permissions (`facts.tier`), which come from the owner's policy or the defaults.
 * - stops: unknown tools and targets; tier `deny`
 * - asks: tier `ask`
 * - lets through: tier `allow`
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { kindName } from './action-kind.ts';

const because = (facts: Facts): string => (facts.policyReason === '' ? '' : ` (${facts.policyReason})`);

export const checkPermissions = (action: Action, facts: Facts): Verdict => {
  if (!facts.isKnown) {
    return { verdict: 'block', reason: 'no tool or target of this name is registered' };
  }
  switch (facts.tier) {
    case 'allow':
      return PASS;
    case 'ask':
      return { verdict: 'ask', reason: `${kindName(action)} needs a person's approval${because(facts)}` };
    case 'deny':
      return { verdict: 'block', reason: `${kindName(action)} is denied by the permissions${because(facts)}` };
    default:
      facts.tier satisfies never;
      return { verdict: 'block', reason: 'unknown permission tier' };
  }
};
