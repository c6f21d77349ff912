/**
 * Reads the body of an incoming webhook as data that can be stored and hashed exactly: a JSON object of bounded size and
 * depth, well-formed Unicode, no member that canonical JSON refuses. Numbers the table cannot hold exactly (long ids above all)
 * become the text they were written as, rather than being rounded or the event refused. Pure.
 */
import { ProtocolError } from '../../base/errors.ts';
import { JsonObject } from '../../base/json.ts';

/** Nesting of an incoming webhook's body: DynamoDB takes 32 levels, and the record around the body uses some of them. */
const WEBHOOK_BODY_DEPTH_MAX = 24;
/** Values in an incoming webhook's body: in the table a small value takes more bytes than its text, and an item has 400 KB. */
const WEBHOOK_BODY_VALUES_MAX = 50_000;

/** Below this DynamoDB's numbers end. */
const NUMBER_MIN = 1e-128;

const isStorable = (value: number): boolean =>
  value === 0 || (Math.abs(value) <= Number.MAX_SAFE_INTEGER && Math.abs(value) >= NUMBER_MIN);

/** Reviver: `context.source` is the number as it was written. */
const keepExact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !isStorable(value) ? (context?.source ?? String(value)) : value;

/** What makes the value unfit, or `undefined`. @param levels objects and lists still allowed, this one included. */
const problemOf = (value: unknown, levels: number): string | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'holds text that is not valid Unicode';
  if (value === null || typeof value !== 'object') return undefined;
  if (levels === 0) return 'is nested too deeply';
  for (const [key, child] of Object.entries(value)) {
    if (key === '' || key === 'toJSON' || key === '__proto__' || !key.isWellFormed())
      return 'has a member with a name that cannot be stored';
    const problem = problemOf(child, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const parseText = (text: string, reviver?: typeof keepExact): unknown => {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw new ProtocolError('body is not valid JSON');
  }
};

/** @throws ProtocolError saying what is wrong, never quoting the body. */
export const parseWebhookBody = (text: string): JsonObject => {
  // Depth first: the reviver walks recursively, and a deep body would exhaust the stack.
  const problem = problemOf(parseText(text), WEBHOOK_BODY_DEPTH_MAX);
  if (problem !== undefined) throw new ProtocolError(`body ${problem}`);
  let values = 0;
  const value = parseText(text, (key, member, context) => {
    values += 1;
    return keepExact(key, member, context);
  });
  if (values > WEBHOOK_BODY_VALUES_MAX) throw new ProtocolError('body holds too many values');
  const body = JsonObject.safeParse(value);
  if (!body.success) throw new ProtocolError('body is not a JSON object');
  return body.data;
};
