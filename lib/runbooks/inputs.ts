/** Values of a runbook's inputs: those that were given, and the defaults of the rest. Pure. */
import type { Runbook } from './runbook.ts';
import { INPUT_CHARS_MAX } from './runbook-file.ts';

export type Inputs = Readonly<Record<string, string>>;

export type CompletedInputs =
  | { readonly kind: 'inputs'; readonly inputs: Inputs }
  /** Each continues a sentence: `the input version is missing: Version to deploy`. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** Every input with its value, in the order of the file, or all that is wrong with those given. */
export const completeInputs = ({ name, inputs }: Pick<Runbook, 'name' | 'inputs'>, given: Inputs): CompletedInputs => {
  const names = inputs.map((input) => input.name);
  const known = names.length === 0 ? 'none' : names.join(', ');
  const problems = [
    ...Object.keys(given)
      .filter((one) => !names.includes(one))
      .map((one) => `${name} has no input ${one.slice(0, 40)}; it has ${known}`),
    ...inputs
      .filter((input) => given[input.name] === undefined && input.default === undefined)
      .map((input) => `the input ${input.name} is missing: ${input.meaning}`),
    ...Object.entries(given)
      .filter(([, value]) => value.length > INPUT_CHARS_MAX)
      .map(([one]) => `the input ${one} has more than ${INPUT_CHARS_MAX} characters`),
  ];
  if (problems.length > 0) return { kind: 'problems', problems };
  const values = inputs.map((input) => [input.name, given[input.name] ?? input.default ?? ''] as const);
  return { kind: 'inputs', inputs: Object.fromEntries(values) };
};
