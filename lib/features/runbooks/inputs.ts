/**
 * Values of a runbook's inputs: those that were given, and the defaults of the rest. A value may be
 * taken from the event that starts a run: `{{event.body.version}}`. It stays a template until a
 * step uses it, so that a run keeps no words of the event. Pure.
 */
import type { JsonObject } from '../../core/base/json.ts';
import { findTemplates } from '../../core/text/template.ts';
import { fillText } from './fill-template.ts';
import type { Runbook } from './runbook.ts';
import { INPUT_CHARS_MAX } from './runbook-file.ts';

export type Inputs = Readonly<Record<string, string>>;

export type CompletedInputs =
  | { readonly kind: 'inputs'; readonly inputs: Inputs }
  /** Whole sentences, such as `the input version is missing: Version to deploy`. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** An event is the only thing that exists before the first step. */
const isOfEvent = (path: string): boolean => path.startsWith('event.');

/** A fault of one value; undefined if it is fine. */
const valueProblem = (name: string, value: string, hasEvent: boolean): string | undefined => {
  const { paths, bad } = findTemplates(value);
  if (value.length > INPUT_CHARS_MAX) return `the input ${name} has more than ${INPUT_CHARS_MAX} characters`;
  if (bad.length > 0 || !paths.every(isOfEvent))
    return `the input ${name} may name parts of the event only, such as {{event.body.version}}`;
  return hasEvent || paths.length === 0 ? undefined : `the input ${name} names the event, and no event starts this run`;
};

/** Defaults that the event gives are none without an event. */
const defaultOf = (value: string | undefined, hasEvent: boolean): string | undefined =>
  value !== undefined && !hasEvent && findTemplates(value).paths.length > 0 ? undefined : value;

/** Every input with its value, or all faults. @param hasEvent an event starts the run */
export const completeInputs = (
  { name, inputs }: Pick<Runbook, 'name' | 'inputs'>,
  given: Inputs,
  hasEvent = false,
): CompletedInputs => {
  const names = inputs.map((input) => input.name);
  const known = names.length === 0 ? 'none' : names.join(', ');
  const values = inputs.map((input) => ({
    ...input,
    value: given[input.name] ?? defaultOf(input.default, hasEvent),
  }));
  const problems = [
    ...Object.keys(given)
      .filter((one) => !names.includes(one))
      .map((one) => `${name} has no input ${one.slice(0, 40)}; it has ${known}`),
    ...values.flatMap(({ name: input, meaning, value }) => {
      if (value === undefined) return [`the input ${input} is missing: ${meaning}`];
      return valueProblem(input, value, hasEvent) ?? [];
    }),
  ];
  if (problems.length > 0) return { kind: 'problems', problems };
  return { kind: 'inputs', inputs: Object.fromEntries(values.map((one) => [one.name, one.value ?? ''] as const)) };
};

/** Inputs as steps see them. A value that the event does not have is missing. */
export const fillInputs = (inputs: Inputs, event: JsonObject | undefined): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([name, value]): [string, string][] => {
      if (findTemplates(value).paths.length === 0) return [[name, value]];
      const filled = fillText(value, { inputs: {}, steps: {}, ...(event === undefined ? {} : { event }) });
      return filled.kind === 'value' ? [[name, filled.value]] : [];
    }),
  );
