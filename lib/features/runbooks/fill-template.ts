/**
 * Fills templates in the values of a step. A text that is one template becomes the value itself, of
 * any type; within a longer text the value becomes words. A step that was left out has an empty
 * output. Pure.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import type { Json, JsonObject } from '../../core/base/json.ts';
import { lookUp, TEMPLATE, wordsOf } from '../../core/text/template.ts';

/** Characters that templates put into one step: an action carries no more. */
const FILLED_CHARS_MAX = 32_000;

const ONE_TEMPLATE = /^\{\{([^{}]*)\}\}$/;

export type StepResult = {
  readonly output: string;
  /** The output as JSON; missing if it is none. */
  readonly data?: Json;
  /** The output differs from that of the last run. */
  readonly isNew: boolean;
  /** Status of a webhook's answer. */
  readonly status?: number;
};

/** Values that templates and expressions may name. */
export type Scope = {
  readonly inputs: Readonly<Record<string, string>>;
  /** By the steps' ids. A step that was not performed is missing. */
  readonly steps: Readonly<Record<string, StepResult>>;
  /** Entry of the innermost `each`; missing outside of one. */
  readonly item?: Json;
  /** Event that started the run; missing if none did. */
  readonly event?: JsonObject;
};

export type Filled<T extends Json> =
  | { readonly kind: 'value'; readonly value: T }
  /** Continues a sentence that begins with the step: `names {{inputs.x}}, which …`. */
  | { readonly kind: 'problem'; readonly problem: string };

/** A step that was left out said nothing. */
const OUTPUT = /^steps\.\w+\.output$/;

/** The value of a path. @throws ProtocolError if there is none */
const valueAt = (scope: Scope, path: string): Json => {
  const value = lookUp(scope, path);
  if (value !== undefined) return value;
  if (OUTPUT.test(path)) return '';
  throw new ProtocolError(`names {{${path}}}, and there is no such value in this run`);
};

/** Fills texts and counts the characters. @throws ProtocolError */
const buildFiller = (scope: Scope, find: typeof valueAt) => {
  let left = FILLED_CHARS_MAX;
  const take = (path: string): Json => {
    const value = find(scope, path.trim());
    left -= wordsOf(value).length;
    if (left < 0) throw new ProtocolError(`would hold more than ${FILLED_CHARS_MAX} characters of other steps`);
    return value;
  };
  const fillText = (text: string): Json => {
    const one = ONE_TEMPLATE.exec(text)?.[1];
    return one === undefined ? text.replace(TEMPLATE, (_, path: string) => wordsOf(take(path))) : take(one);
  };
  const fill = (value: Json): Json => {
    if (typeof value === 'string') return fillText(value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
  };
  return fill;
};

const attempt = <T extends Json>(fill: () => T): Filled<T> => {
  try {
    return { kind: 'value', value: fill() };
  } catch (error) {
    if (error instanceof ProtocolError) return { kind: 'problem', problem: error.problem };
    throw error;
  }
};

/** Arguments of a call, with every template filled in. */
export const fillArgs = (args: JsonObject, scope: Scope): Filled<JsonObject> => {
  const fill = buildFiller(scope, valueAt);
  return attempt(() => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fill(value)])));
};

/** A text with every template filled in; a value that is no text becomes its JSON. */
export const fillText = (text: string, scope: Scope): Filled<string> => {
  const fill = buildFiller(scope, valueAt);
  return attempt(() => wordsOf(fill(text)));
};

/** For a dry run: values that are not known yet stay as their templates. */
export const fillKnown = (args: JsonObject, scope: Scope): Filled<JsonObject> => {
  const fill = buildFiller(scope, (all, path) => lookUp(all, path) ?? `{{${path}}}`);
  return attempt(() => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, fill(value)])));
};
