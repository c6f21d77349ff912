/**
 * Says in plain sentences what is wrong with a tool's arguments. They name the tool's own fields
 * and never repeat a word of the model: neither values nor unknown fields (I11). Pure.
 */
import type * as z from 'zod/mini';
import type { JsonObject } from '../base/json.ts';

type Issue = z.core.$ZodIssue;

/** A tool as far as its arguments are concerned. */
interface CheckedTool {
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  readonly fields: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const unitOf = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '');

/** Names below the first level are the model's own, so they are left out. */
const fieldOf = (path: readonly PropertyKey[]): string => {
  const [first, second] = path;
  const name = first === undefined ? 'the whole' : String(first);
  return typeof second === 'number' ? `${name}[${second}]` : name;
};

const sentenceOf = (issue: Issue, fields: readonly string[], args: JsonObject): string => {
  const field = fieldOf(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return fields.length === 0 ? 'it takes no fields' : `it takes no other fields than ${fields.join(', ')}`;
    case 'invalid_type':
      if (issue.path.length === 1 && !Object.hasOwn(args, field)) return `${field} is missing`;
      return `${field} must be ${KINDS[issue.expected] ?? 'of another kind'}`;
    case 'invalid_format':
      return issue.pattern === undefined ? `${field} has a wrong form` : `${field} must match ${issue.pattern}`;
    case 'too_big':
      return `${field} must have at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return issue.minimum === 1
        ? `${field} must not be empty`
        : `${field} must have at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return `${field} has a wrong form`;
  }
};

/** Each problem as a sentence, once; empty if the arguments fit. */
export const argumentProblems = ({ args: schema, fields }: CheckedTool, args: JsonObject): readonly string[] => {
  const result = schema.safeParse(args);
  return result.success ? [] : [...new Set(result.error.issues.map((issue) => sentenceOf(issue, fields, args)))];
};
