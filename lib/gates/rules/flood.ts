/**
 * Stops a conversation that pushes against the rules: more than 10 blocked actions within an hour, or one more approval
 * than a person can look through. Takes `facts.flood`; blocks. Only an approver resumes it, and nothing decided before comes back.
 * - stops: any tool, webhook or text of the model in such a conversation, approved, granted, queued or retrying
 * - lets through: fixed notices (a person must be able to read why), other conversations, and all up to the tenth block
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
