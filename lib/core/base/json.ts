/** JSON of bounded depth. All input from outside passes here. */

import * as z from 'zod/mini';
import { ProtocolError } from './errors.ts';
import { JSON_DEPTH_MAX } from './limits.ts';
import { makeVisible } from './make-visible.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const Json: z.ZodMiniType<Json> = z.json() as unknown as z.ZodMiniType<Json>;
export const JsonObject: z.ZodMiniType<JsonObject> = z.record(z.string(), Json);

const depthOf = (value: unknown, limit: number): number => {
  if (value === null || typeof value !== 'object') return 0;
  if (limit === 0) return 1;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child, limit - 1));
  return deepest + 1;
};

/** Kept exactly by neither JavaScript nor the table: stored otherwise than it was judged. */
const hasInexactNumber = (value: unknown): boolean => {
  if (typeof value === 'number')
    return Math.abs(value) > Number.MAX_SAFE_INTEGER || (value !== 0 && Math.abs(value) < 1e-100);
  return value !== null && typeof value === 'object' && Object.values(value).some(hasInexactNumber);
};

/** An object of JSON: no list, no null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined if the text is not JSON */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @throws ProtocolError that never quotes the text */
export const parseJson = <T>(what: string, text: string, schema: z.ZodMiniType<T>): T => {
  const value = readJson(text);
  if (value === undefined) throw new ProtocolError(`${what} is not valid JSON`);
  return parseWith(what, value, schema);
};

/** @throws ProtocolError that names every field that does not fit */
export const parseWith = <T>(what: string, value: unknown, schema: z.ZodMiniType<T>): T => {
  if (depthOf(value, JSON_DEPTH_MAX + 1) > JSON_DEPTH_MAX) throw new ProtocolError(`${what} is nested too deeply`);
  if (hasInexactNumber(value))
    throw new ProtocolError(`${what} holds a number that cannot be kept exactly: send it as text`);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProtocolError(`${what}: ${describeIssues(result.error.issues)}`);
};

/** Problems named at once: the first ones are enough to mend a value. */
const PROBLEMS_MAX = 8;
const NAME_CHARS_MAX = 40;
/** The message of zod/mini if a schema has none of its own. */
const WORDLESS = 'Invalid input';

/** Names of kinds where a person would not say zod's own name after "a". */
const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  int: 'a whole number',
};

const NUMBERS: ReadonlySet<string> = new Set(['number', 'int']);

const describeIssue = (issue: z.core.$ZodIssue): string => {
  const where = issue.path.map(String).join('.') || 'the whole';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown member ${issue.keys.map((key) => makeVisible(key.slice(0, NAME_CHARS_MAX))).join(', ')}`;
    case 'invalid_type':
      return `${where} must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `${where} must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      if (NUMBERS.has(issue.origin)) return `${where} must be at most ${issue.maximum}`;
      return `${where} is longer than ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'entries'}`;
    case 'too_small':
      if (!NUMBERS.has(issue.origin)) return `${where} must not be empty`;
      return `${where} must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    default:
      // No member of a discriminated union has this value.
      if ('options' in issue && issue.options !== undefined)
        return `${where} must be one of ${issue.options.map(String).join(', ')}`;
      return issue.message === WORDLESS ? `${where} does not fit` : `${where} ${issue.message}`;
  }
};

/** Names each problem for its author. Never quotes a value, only shortened unknown names. */
export const describeIssues = (issues: readonly z.core.$ZodIssue[]): string =>
  issues.slice(0, PROBLEMS_MAX).map(describeIssue).join('; ');

const fromText = (stored: unknown): unknown => (typeof stored === 'string' ? readJson(stored) : stored);

/** A value stored as JSON text, which costs less, or as itself. Not for schemas of strings. */
export const asText = <T>(schema: z.ZodMiniType<T>) => z.pipe(z.pipe(z.unknown(), z.transform(fromText)), schema);
