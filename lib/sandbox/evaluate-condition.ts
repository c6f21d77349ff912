/**
 * Evaluates an expression over facts, such as `facts.open > 3`, in the sandbox. It must give true
 * or false; anything else is a problem, in fixed words. Never throws.
 */
import { describeProblem, type Sandbox } from './sandbox.ts';

export type ConditionOutcome =
  | { readonly kind: 'value'; readonly value: boolean }
  /** `problem` continues a sentence that begins with "the condition". */
  | { readonly kind: 'problem'; readonly problem: string };

/** @param facts plain JSON; the expression sees a copy named `facts` */
export const evaluateCondition = (sandbox: Sandbox, expression: string, facts: unknown): ConditionOutcome => {
  const code = `function condition(facts) { return (${expression}\n); }`;
  const outcome = sandbox.run({ code, call: 'condition', input: [facts] });
  if (outcome.kind === 'problem') return { kind: 'problem', problem: describeProblem(outcome) };
  if (typeof outcome.value === 'boolean') return { kind: 'value', value: outcome.value };
  return { kind: 'problem', problem: 'gives neither true nor false' };
};
