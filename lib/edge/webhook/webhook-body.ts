/**
 * The body of an event as an object that can be stored and hashed exactly. Takes JSON, and if the
 * scheme does, forms as some senders post them (`payload=` holds JSON). Pure.
 * @throws ProtocolError that never quotes it
 */
import { createHash } from 'node:crypto';
import { ProtocolError } from '../../base/errors.ts';
import { type Json, JsonObject } from '../../base/json.ts';
import { findTemplates, lookInto } from '../../runbooks/template.ts';
import type { Headers, Scheme } from './scheme.ts';

/** DynamoDB takes 32 levels; the record around the body uses some of them. */
const WEBHOOK_BODY_DEPTH_MAX = 24;
/** A small value takes more bytes in the table than its text, and an item has 400 KB. */
const WEBHOOK_BODY_VALUES_MAX = 50_000;

/** Of one value that is kept of a body too large for the table. */
const DIGEST_VALUE_CHARS_MAX = 2_000;

/** DynamoDB takes no smaller number. */
const NUMBER_MIN = 1e-128;

const isStorable = (value: number): boolean =>
  value === 0 || (Math.abs(value) <= Number.MAX_SAFE_INTEGER && Math.abs(value) >= NUMBER_MIN);

/** Reviver: a number the table cannot hold exactly becomes its text, instead of being rounded. */
const keepExact = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !isStorable(value) ? (context?.source ?? String(value)) : value;

/** Why the value cannot be stored; undefined if it can. @param levels of nesting still allowed */
const findProblem = (value: unknown, levels: number): string | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'holds text that is not valid Unicode';
  if (value === null || typeof value !== 'object') return undefined;
  if (levels === 0) return 'is nested too deeply';
  for (const [key, child] of Object.entries(value)) {
    if (key === '' || key === 'toJSON' || key === '__proto__' || !key.isWellFormed())
      return 'has a member with a name that cannot be stored';
    const problem = findProblem(child, levels - 1);
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

const parseObject = (text: string): JsonObject => {
  // The depth is checked first: the reviver is recursive, and a deep body would exhaust the stack.
  const problem = findProblem(parseText(text), WEBHOOK_BODY_DEPTH_MAX);
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

/** A form begins with a name and its sign; no JSON does. */
const FORM = /^[A-Za-z0-9*._+%~-]+=/;

/** The JSON of a form's `payload`, or its fields; a field that comes twice is a list. */
const formText = (text: string): string => {
  const form = new URLSearchParams(text);
  const payload = form.get('payload');
  if (payload !== null && form.size === 1) return payload;
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return JSON.stringify(Object.fromEntries(fields));
};

/** Without the mark of byte order that some senders put before it. */
const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProtocolError('body is not UTF-8');
  }
};

/** The scheme says what a body may be, and the signed bytes which of it: no `content-type` does. */
export const parseBody = (
  headers: Headers,
  bytes: Uint8Array,
  { takesForm }: Pick<Scheme, 'takesForm'>,
): JsonObject => {
  if (!['identity', undefined].includes(headers['content-encoding']))
    throw new ProtocolError('body is compressed: send it without content-encoding');
  const text = decode(bytes);
  return parseObject(takesForm === true && FORM.test(text) ? formText(text) : text);
};

export type JsonTree = { [name: string]: Json };

const isTree = (value: Json | undefined): value is JsonTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a value at a path such as `event.id`, unless one is there. */
export const putAt = (tree: JsonTree, path: string, value: Json): void => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = tree;
  for (const name of names) {
    at[name] ??= {};
    const next = at[name];
    if (!isTree(next)) return;
    at = next;
  }
  at[last] ??= value;
};

/** Those members alone. */
export const pickMembers = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** Of a body that the table cannot take: its hash, its size, and what the form names. */
export const digestBody = (body: JsonObject, bytes: Uint8Array, form: string): JsonObject => {
  const digest: JsonTree = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength };
  for (const path of findTemplates(form).paths) {
    const value = lookInto(body, path);
    if (value !== undefined && JSON.stringify(value).length <= DIGEST_VALUE_CHARS_MAX) putAt(digest, path, value);
  }
  return digest;
};
