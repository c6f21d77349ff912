/**
 * Canonical bytes and hashes: RFC 8785 (JCS) through a strict validator, then SHA-256 with a domain tag, so that a hash
 * of one kind of thing can never stand for another. Two values with one hash are one value: what JSON cannot say exactly
 * (NaN, infinities, BigInt, lone surrogates, undefined, functions, symbols, holes, cycles, objects with a class or a `toJSON`) is
 * refused, never coerced. A serialiser of our own, in one pass: every action, fact and leaf goes through it. Part of what
 * an auditor of the offline verifier reads: imports nothing but node:crypto, errors and limits.
 */
import { hash } from 'node:crypto';
import { ProtocolError } from './errors.ts';

/** Nesting of anything that is hashed: what comes from outside (24), wrapped in our own records a few times over; ends cycles too. */
export const CANONICAL_DEPTH_MAX = 64;
/** Of the way to a value that has no canonical form, as the error tells it. */
const CANONICAL_PATH_CHARS_MAX = 200;

/** What a hash is of; part of the hashed bytes. */
export type HashDomain =
  | 'action'
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
  | 'approval-id'
  | 'attempt-record'
  | 'decision-record'
  | 'effect-record'
  | 'approval-record'
  | 'commit-record'
  | 'rotation-record'
  | 'tombstone-record';

/** A fault found on the way down; the path is put together on the way up, where it costs only those who fail. */
class Refusal extends Error {
  readonly problem: string;
  path = '';
  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

/** Up to this length a loop over the characters beats asking the engine to look for something to escape. */
const SHORT_CHARS = 80;
/** Up to this many keys sorting by insertion beats the library's sort; most objects arrive sorted or nearly so. */
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

/** One step of the way to a fault: `.key` or `[3]`. */
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

/** RFC 8785 text of plain data. A member that is not there is left out by whoever builds the value. @throws ProtocolError on anything JSON cannot say exactly. */
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
