/**
 * Stops everything while the space is stopped. Takes `facts.isStopped`; blocks.
 * - stops: any tool, webhook or text of the model, already approved or not, at Reason and again right before performing
 * - lets through: fixed notices (a person must be able to read that the space is stopped), and everything when it runs
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { isFixedNotice } from './action-kind.ts';

export const checkKillSwitch = (action: Action, facts: Facts): Verdict => {
  if (!facts.isStopped) return PASS;
  if (isFixedNotice(action)) return { verdict: 'pass', reason: 'fixed notice' };
  return { verdict: 'block', reason: 'the space is stopped: nothing is done until an approver resumes it' };
};
