/**
 * Checks which actions a message asks Act for, before any of them is performed: all of the decision, each once, or, with an
 * approval, those it is for. Anything else was not made by this system, and half of a decision must never pass for all of
 * it: poison, with nothing done. Hashes are checked action by action, where a refusal is recorded.
 */
import { PipelineError } from '../../base/errors.ts';
import type { Decision } from '../../signal/decision.ts';
import type { ActMessage } from '../../signal/messages.ts';

const problemOf = (actions: ActMessage['actions'], count: number): string | undefined => {
  const named = new Set(actions.map((action) => action.n));
  const outside = [...named].find((n) => n < 0 || n >= count);
  if (outside !== undefined) return `the decision has no action ${outside}`;
  if (named.size !== actions.length) return 'the message names an action twice';
  if (named.size === 0) return 'the message names no action';
  const isWhole = named.size === count;
  return isWhole || actions.every((action) => action.approvalId !== undefined)
    ? undefined
    : 'the message names only some actions of the decision';
};

/** @throws PipelineError (poison) */
export const checkNamed = (message: ActMessage, decision: Decision): void => {
  const problem = problemOf(message.actions, decision.actions.length);
  if (problem !== undefined) throw new PipelineError(problem, message.signalId, false);
};
