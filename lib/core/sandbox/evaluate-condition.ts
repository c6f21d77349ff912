/** Evaluates an expression over facts, such as `facts.open > 3`, to true or false. Never throws. */
import { describeProblem, type Sandbox, type SandboxProblem } from './sandbox.ts';

export type ConditionOutcome =
  | { readonly kind: 'value'; readonly value: boolean }
  /** `problem` continues a sentence that begins with "the condition". */
  | { readonly kind: 'problem'; readonly problem: string };

const codeOf = (expression: string, name = 'facts'): string =>
  `function condition(${name}) { return (${expression}\n); }`;

/** In fixed words. A line would be one of the function around the expression. */
export const expressionProblemWords = (problem: SandboxProblem): string =>
  problem.why === 'syntax' ? 'does not parse as one JavaScript expression' : describeProblem(problem);

/** The fault of code before it runs: it does not parse. */
export const syntaxProblem = (sandbox: Sandbox, code: string): string | undefined => {
  const outcome = sandbox.run({ code, call: 'nothing', input: [] });
  return outcome.kind === 'problem' && outcome.why === 'syntax' ? expressionProblemWords(outcome) : undefined;
};

const STRINGS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

/** Members that an expression names, as paths such as `facts.open`. Words in quotes are none. */
export const findMembers = (expression: string, holders: readonly string[]): readonly string[] =>
  [...expression.replace(STRINGS, "''").matchAll(/(?<![\w.$])(\w+)\??\.(\w+)/g)].flatMap(
    ([, holder = '', name = '']) => (holders.includes(holder) ? [`${holder}.${name}`] : []),
  );

export const conditionProblem = (sandbox: Sandbox, expression: string): string | undefined =>
  syntaxProblem(sandbox, codeOf(expression));

/** @param facts plain JSON; the expression sees a copy of this name, `facts` unless given */
export const evaluateCondition = (
  sandbox: Sandbox,
  expression: string,
  facts: unknown,
  name?: 'event',
): ConditionOutcome => {
  const outcome = sandbox.run({ code: codeOf(expression, name), call: 'condition', input: [facts] });
  if (outcome.kind === 'problem') return { kind: 'problem', problem: expressionProblemWords(outcome) };
  if (typeof outcome.value === 'boolean') return { kind: 'value', value: outcome.value };
  return { kind: 'problem', problem: 'gives neither true nor false' };
};
