/**
 * JSON as the checker reads it: canonical text (RFC 8785) with its hash, and the fields of values
 * that nobody vouches for. Shares nothing with the product, whose hashes it recomputes. A value of
 * another kind reads as empty, which then fails whichever rule needs it.
 */
import { hash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};
const EMPTY: readonly unknown[] = [];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NOTHING);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : EMPTY);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Undefined if the text is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Names of members as JSON has them: there are few, and each comes a thousand times. */
const quoted = new Map<string, string>();

const quote = (name: string): string => {
  const known = quoted.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  // Ids of a run that are names would add up over a million runs.
  if (quoted.size < 1_000) quoted.set(name, text);
  return text;
};

/** Most values come with their members in order. */
const sortedKeys = (members: Fields): readonly string[] => {
  const keys = Object.keys(members);
  return keys.every((key, n) => n === 0 || (keys[n - 1] ?? '') < key) ? keys : keys.sort();
};

/** ECMAScript writes numbers and strings as RFC 8785 wants them; only the order of keys is left. */
export const canonicalText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const one of value) text += text === '' ? canonicalText(one) : `,${canonicalText(one)}`;
    return `[${text}]`;
  }
  const members = fieldsOf(value);
  for (const key of sortedKeys(members)) text += `${text === '' ? '' : ','}${quote(key)}${canonicalText(members[key])}`;
  return `{${text}}`;
};

/** SHA-256 over `passepartout/<domain>`, a line feed and the canonical text, in hex. */
export const hashOf = (domain: string, value: unknown): string =>
  hash('sha256', `passepartout/${domain}\n${canonicalText(value)}`);
