/**
 * Stops everything while the space is stopped (`facts.isStopped`).
 * - stops: every tool, webhook and text of the model, approved or not, at Reason and again at Act
 * - lets through: fixed notices, so that a person can read that the space is stopped
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
