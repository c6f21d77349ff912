/**
 * Stops a conversation that pushes against the rules: more than 10 blocked actions in an hour, or
 * one approval more than a person can look through. Only an approver resumes it; nothing decided
 * before comes back.
 * - stops: every tool, webhook and text of the model in it, approved, granted or retrying
 * - lets through: fixed notices, so that a person can read why; other conversations
 */
import { BLOCKS_PER_HOUR_MAX, PENDING_APPROVALS_MAX } from '../../base/limits.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { isFixedNotice } from './action-kind.ts';

const reasonOf = ({ because, isSessionStopped }: NonNullable<Facts['flood']>): string => {
  if (because === 'approvals')
    return `this conversation is stopped: ${PENDING_APPROVALS_MAX} approvals wait already; an approver resumes it`;
  if (because === 'blocks' || !isSessionStopped)
    return `this conversation is stopped: more than ${BLOCKS_PER_HOUR_MAX} actions were blocked within an hour; an approver resumes it`;
  return 'this conversation was stopped since this was decided: ask for it again';
};

export const checkFlood = (action: Action, facts: Facts): Verdict => {
  const { flood } = facts;
  if (flood === null || (!flood.isSessionStopped && flood.blocksLastHour <= BLOCKS_PER_HOUR_MAX)) return PASS;
  if (isFixedNotice(action)) return { verdict: 'pass', reason: 'fixed notice' };
  return { verdict: 'block', reason: reasonOf(flood) };
};
