/**
 * The same action is not proposed twice. Actions are compared by canonical hash.
 * - stops: an action that an earlier attempt at this signal was blocked with; an action a person
 *   denied in this turn or, in a turn no approver began, in this conversation within the hour
 * - lets through: first proposals, changed ones, and actions that an approver asks for again
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

const DENIED = 'a person denied exactly this: propose something else, or say that it will not be done';
const REFUSED = 'exactly this was refused before: propose something else, or say why it cannot be done';

export const checkRepeat = (_action: Action, facts: Facts): Verdict => {
  if (facts.isDeniedBefore) return { verdict: 'block', reason: DENIED };
  return facts.isRefusedBefore ? { verdict: 'block', reason: REFUSED } : PASS;
};
