/**
 * The same thing is not proposed twice: what the gates refused once for this signal, or a person denied, is refused again,
 * whatever changed in between, and the model is told to try something else. Compared by canonical hash, so that order and
 * spacing of a proposal's JSON make no difference. Takes `facts.isRefusedBefore` and `facts.isDeniedBefore`.
 * - stops: an action whose hash an earlier attempt of the same signal was blocked with; an action a person denied in this
 *   turn, or, in a turn no approver began, within the last hour of this conversation, however it is explained
 * - lets through: the first proposal, changed ones, actions that passed beside a blocked one, and what an approver asks for again
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
