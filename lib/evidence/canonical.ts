/**
 * Canonical bytes and hashes: RFC 8785 (JCS) through a strict validator, then SHA-256 with a domain tag, so that a hash
 * of one kind of thing can never stand for another. Two values with one hash are one value.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { ProtocolError } from '../errors.ts';

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
  | 'prompt'
  | 'trace';

const check = (value: unknown, path: string): void => {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new ProtocolError(`${path} holds a lone surrogate`);
      return;
    case 'number':
      if (!Number.isFinite(value)) throw new ProtocolError(`${path} is not a finite number`);
      return;
    case 'boolean':
      return;
    case 'object': {
      if (value === null) return;
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index += 1) check(value[index], `${path}[${index}]`);
        return;
      }
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) throw new ProtocolError(`${path} is not plain data`);
      for (const [key, child] of Object.entries(value)) {
        if (!key.isWellFormed()) throw new ProtocolError(`${path} has a key with a lone surrogate`);
        if (child === undefined) continue;
        if (key === 'toJSON') throw new ProtocolError(`${path} has a toJSON member`);
        check(child, `${path}.${key}`);
      }
      return;
    }
    default:
      throw new ProtocolError(`${path} is a ${typeof value}, which JSON cannot say`);
  }
};

/** RFC 8785 text of plain data. Members whose value is `undefined` are left out. @throws ProtocolError on anything JSON cannot say exactly. */
export const canonicalJson = (value: unknown): string => {
  check(value, 'value');
  const text = canonicalize(value);
  if (text === undefined) throw new ProtocolError('value has no JSON form');
  return text;
};

/** Lower-case hex SHA-256 over `passepartout/<domain>\n` and the canonical JSON of the value. */
export const hashOf = (domain: HashDomain, value: unknown): string =>
  createHash('sha256').update(`passepartout/${domain}\n`).update(canonicalJson(value)).digest('hex');
