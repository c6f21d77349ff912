/**
 * Canonical bytes and hashes: RFC 8785 (JCS) text of plain data, then SHA-256 with a tag of its
 * kind, so that a hash of one kind never stands for another. A value that JSON cannot say exactly
 * (NaN, BigInt, a lone surrogate, undefined, a class, a cycle) is refused, never converted.
 * Auditors of the offline verifier read this file: it imports only node:crypto and errors.
 */
import { hash } from 'node:crypto';
import { ProtocolError } from './errors.ts';

/** Nesting of a hashed value: 24 levels from outside, in a few records of ours. Ends cycles too. */
export const CANONICAL_DEPTH_MAX = 64;
/** Characters of the path to a fault in an error's text. */
const CANONICAL_PATH_CHARS_MAX = 200;

/** Kind of the hashed value; part of the hashed bytes. */
export type HashDomain =
  | 'action'
  | 'signal'
  | 'decision'
  | 'gate-set'
  | 'policy'
  | 'facts'
  | 'proposal'
  | 'memory-object'
  | 'memory-content'
  | 'memory-tree'
  | 'prompt'
  | 'trace'
  | 'output'
  | 'mcp-tool'
  | 'habit'
  | 'approval-id'
  | 'attempt-record'
  | 'decision-record'
  | 'effect-record'
  | 'approval-record'
  | 'commit-record'
  | 'right'
  | 'rotation-record'
  | 'tombstone-record'
  | 'job-version'
  | 'job-record'
  | 'occurrence-record'
  | 'skill-version'
  | 'skill-record'
  | 'runner-job'
  | 'runner-receipt'
  | 'runner-result'
  | 'runner-request'
  | 'runner-record'
  | 'secret-print';

/** A fault found on the way down. Its path is put together on the way up. */
class Refusal extends Error {
  readonly problem: string;
  path = '';
  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

/** In shorter texts, a loop over the characters finds faster whether something must be escaped. */
const SHORT_CHARS = 80;
/** Up to this many keys, insertion beats the library's sort: most objects arrive nearly sorted. */
const FEW_KEYS = 40;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;

const isPlain = (text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE || code === QUOTE || code === BACKSLASH) return false;
  }
  return true;
};

/** RFC 8785 escapes exactly what ECMAScript does (§3.2.2.2). */
const writeString = (text: string, what: string): string => {
  if (text.length <= SHORT_CHARS && isPlain(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new Refusal(`${what} a lone surrogate`);
  return JSON.stringify(text);
};

/** Sorts in place by UTF-16 code units (§3.2.3), which is how ECMAScript compares strings. */
const sortKeys = (keys: string[]): string[] => {
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    let place = index - 1;
    while (place >= 0 && (keys[place] ?? '') > key) {
      keys[place + 1] = keys[place] ?? '';
      place -= 1;
    }
    keys[place + 1] = key;
  }
  return keys;
};

/** One step of the path to a fault: `.key` or `[3]`. */
const within = (step: string, error: unknown): unknown => {
  if (error instanceof Refusal) error.path = `${step}${error.path}`;
  return error;
};

const writeArray = (list: readonly unknown[], depth: number): string => {
  if (depth === 0) throw new Refusal(`is nested deeper than ${CANONICAL_DEPTH_MAX} levels, or within itself`);
  let text = '[';
  let index = 0;
  try {
    for (; index < list.length; index += 1)
      text += index === 0 ? write(list[0], depth - 1) : `,${write(list[index], depth - 1)}`;
  } catch (error) {
    throw within(`[${index}]`, error);
  }
  return `${text}]`;
};

const writeObject = (value: object, depth: number): string => {
  if (depth === 0) throw new Refusal(`is nested deeper than ${CANONICAL_DEPTH_MAX} levels, or within itself`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Refusal('is not plain data');
  if (Object.getOwnPropertySymbols(value).length > 0) throw new Refusal('has a symbol for a key');
  let text = '{';
  for (const key of sortKeys(Object.keys(value))) {
    const member: unknown = Reflect.get(value, key);
    if (key === 'toJSON') throw new Refusal('has a toJSON member');
    if (text !== '{') text += ',';
    text += writeString(key, 'has a key with');
    try {
      text += `:${write(member, depth - 1)}`;
    } catch (error) {
      throw within(`.${key}`, error);
    }
  }
  return `${text}}`;
};

const write = (value: unknown, depth: number): string => {
  switch (typeof value) {
    case 'string':
      return writeString(value, 'holds');
    case 'number':
      if (!Number.isFinite(value)) throw new Refusal('is not a finite number');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    case 'undefined':
      throw new Refusal('is undefined, which JSON cannot say');
    default:
      throw new Refusal(`is a ${typeof value}, which JSON cannot say`);
  }
};

/** RFC 8785 text of plain data. @throws ProtocolError if JSON cannot say the value exactly */
export const canonicalJson = (value: unknown): string => {
  try {
    return write(value, CANONICAL_DEPTH_MAX);
  } catch (error) {
    throw error instanceof Refusal
      ? new ProtocolError(`value${error.path.slice(0, CANONICAL_PATH_CHARS_MAX)} ${error.problem}`)
      : error;
  }
};

/** Lower-case hex SHA-256 over `passepartout/<domain>\n` and the canonical JSON of the value. */
export const hashOf = (domain: HashDomain, value: unknown): string =>
  hash('sha256', `passepartout/${domain}\n${canonicalJson(value)}`);
