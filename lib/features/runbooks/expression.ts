/**
 * Expressions of a runbook (`if`, `each`): JavaScript over `inputs`, `steps`, `item` and `event`,
 * run by the sandbox. `steps` holds the performed steps only: `steps.list?.data` for one that may
 * have been left out. Never throws.
 */
import type { Json } from '../../core/base/json.ts';
import { expressionProblemWords, findMembers, syntaxProblem } from '../../core/sandbox/evaluate-condition.ts';
import type { Sandbox } from '../../core/sandbox/sandbox.ts';
import type { Scope } from './fill-template.ts';

const CALL = 'expression';
const codeOf = (expression: string): string =>
  `function ${CALL}({ inputs, steps, item, event }) { return (${expression}\n); }`;

/** `problem` continues a sentence that begins with the expression. */
type Problem = { readonly kind: 'problem'; readonly problem: string };

const evaluate = (sandbox: Sandbox, expression: string, scope: Scope): { kind: 'value'; value: Json } | Problem => {
  const outcome = sandbox.run({ code: codeOf(expression), call: CALL, input: [scope] });
  return outcome.kind === 'value' ? outcome : { kind: 'problem', problem: expressionProblemWords(outcome) };
};

/** An `if`. */
export const evaluateIf = (
  sandbox: Sandbox,
  expression: string,
  scope: Scope,
): { readonly kind: 'value'; readonly value: boolean } | Problem => {
  const found = evaluate(sandbox, expression, scope);
  if (found.kind === 'problem') return found;
  if (typeof found.value === 'boolean') return { kind: 'value', value: found.value };
  return { kind: 'problem', problem: 'gives neither true nor false' };
};

/** The list of an `each`. @param most entries it may have */
export const evaluateEach = (
  sandbox: Sandbox,
  expression: string,
  scope: Scope,
  most: number,
): { readonly kind: 'value'; readonly value: readonly Json[] } | Problem => {
  const found = evaluate(sandbox, expression, scope);
  if (found.kind === 'problem') return found;
  if (!Array.isArray(found.value)) return { kind: 'problem', problem: 'gives no list' };
  const list: readonly Json[] = found.value;
  return list.length <= most
    ? { kind: 'value', value: list }
    : { kind: 'problem', problem: `gives ${list.length} entries, and ${most} are allowed` };
};

/** The fault of an expression before anything runs: it does not parse. */
export const expressionProblem = (sandbox: Sandbox, expression: string): string | undefined =>
  syntaxProblem(sandbox, codeOf(expression));

/** Steps and inputs that an expression names, as paths: `steps.list`, `inputs.service`. */
export const findNames = (expression: string): readonly string[] => findMembers(expression, ['steps', 'inputs']);
