/**
 * Arguments fit the tool's own schema. Code compared them; this gate tells the model what is wrong.
 * - stops: missing, unknown, mistyped or out-of-range arguments
 * - lets through: arguments that fit
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

export const checkToolArguments = (_action: Action, facts: Facts): Verdict => {
  if (facts.argumentProblems.length === 0) return PASS;
  return { verdict: 'block', reason: `the arguments do not fit the tool: ${facts.argumentProblems.join('; ')}` };
};
