/**
 * The same thing is not proposed twice: what the gates refused once for this signal is refused again, whatever changed in
 * between, and the model is told to try something else. Compared by canonical hash, so that order and spacing of a
 * proposal's JSON make no difference. Takes `facts.isRefusedBefore`.
 * - stops: an action whose hash an earlier attempt of the same signal was blocked with
 * - lets through: the first proposal, changed ones, and actions that passed beside a blocked one
 */
import type { Action } from '../signal/action.ts';
import type { Facts } from './facts.ts';
import { PASS, type Verdict } from './gate.ts';

export const checkRepeat = (_action: Action, facts: Facts): Verdict =>
  facts.isRefusedBefore
    ? {
        verdict: 'block',
        reason: 'exactly this was refused before: propose something else, or say why it cannot be done',
      }
    : PASS;
