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

/** ECMAScript writes numbers and strings as RFC 8785 wants them; only the order of keys is left. */
export const canonicalText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value);
  let text = '';
  for (const key of Object.keys(value).sort()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalText(value[key])}`;
  }
  return `{${text}}`;
};

/** SHA-256 over `passepartout/<domain>`, a line feed and the canonical text, in hex. */
export const hashOf = (domain: string, value: unknown): string =>
  hash('sha256', `passepartout/${domain}\n${canonicalText(value)}`);
