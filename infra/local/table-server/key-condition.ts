/**
 * Key conditions of a query, in the one form this project writes: the hash key first, then at most
 * one bound on the range key. Any other form is refused.
 */
import { type AttributeValue, compareValues } from './attribute-value.ts';
import { invalid, notImplemented } from './table-error.ts';
import { type KeySchema, storeKeyValue } from './table-schema.ts';
import { type Bindings, boundValue, buildCache, type Placeholders } from './tokens.ts';

export interface KeyCondition {
  readonly used: Placeholders;
  readonly hash: string;
  readonly hashValue: string;
  /** The range key's attribute, operator and values; undefined without a bound. */
  readonly range: { readonly name: string; readonly operator: string; readonly values: readonly string[] } | undefined;
}

/**
 * Which stored keys a query is about: of one hash, with bounds on the range, each an SQL comparison
 * with a text.
 */
export interface KeyRange {
  readonly hash: string;
  readonly bounds: readonly (readonly ['=' | '<' | '<=' | '>' | '>=', string])[];
}

const HASH = /^\s*(#?\w+)\s*=\s*(:\w+)(?:\s+AND\s+(.+?))?\s*$/is;
const BOUNDS = [
  /^(?<name>#?\w+)\s*(?<operator>=|<=|<|>=|>)\s*(?<from>:\w+)$/,
  /^(?<name>#?\w+)\s+(?<operator>BETWEEN)\s+(?<from>:\w+)\s+AND\s+(?<to>:\w+)$/i,
  /^(?<operator>begins_with)\s*\(\s*(?<name>#?\w+)\s*,\s*(?<from>:\w+)\s*\)$/,
];
/** Sorts behind every character that a text may hold. */
const LAST_CHARACTER = '\u{10ffff}';

const readBound = (text: string): NonNullable<KeyCondition['range']> => {
  const found = BOUNDS.map((bound) => bound.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) throw notImplemented(`the key condition ${text}`);
  const { name = '', operator = '', from = '', to } = found;
  return { name, operator: operator.toLowerCase(), values: to === undefined ? [from] : [from, to] };
};

/** @throws TableError when the text has another form */
export const parseKeyCondition = buildCache((text: string): KeyCondition => {
  const [, hash, hashValue, bound] = HASH.exec(text) ?? [];
  if (hash === undefined || hashValue === undefined) throw notImplemented(`the key condition ${text}`);
  const range = bound === undefined ? undefined : readBound(bound);
  const names = [hash, ...(range === undefined ? [] : [range.name])].filter((name) => name.startsWith('#'));
  const values = [hashValue, ...(range?.values ?? [])];
  return { used: { names: new Set(names), values: new Set(values), checks: [] }, hash, hashValue, range };
});

const boundsOf = (operator: string, from: string, to: string): KeyRange['bounds'] => {
  switch (operator) {
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return [[operator, from]];
    default: {
      const lower = ['>=', from] as const;
      return operator === 'between' ? [lower, ['<=', to]] : [lower, ['<', from + LAST_CHARACTER]];
    }
  }
};

/** @throws TableError when the condition does not fit the keys */
export const resolveKeyCondition = (condition: KeyCondition, schema: KeySchema, bindings: Bindings): KeyRange => {
  const nameOf = (word: string): string => bindings.names.get(word) ?? word;
  const store = (key: KeySchema['hash'], value: AttributeValue): string => {
    const stored = storeKeyValue(key, value);
    if (stored === undefined)
      throw invalid(`the condition's value for the key ${key.name} must be of type ${key.type}`);
    return stored;
  };
  if (nameOf(condition.hash) !== schema.hash.name)
    throw invalid(`Query condition missed key schema element: ${schema.hash.name}`);
  const hash = store(schema.hash, boundValue(bindings, condition.hashValue));
  if (condition.range === undefined) return { hash, bounds: [] };
  const { range } = schema;
  const { name, operator, values } = condition.range;
  if (range === undefined || nameOf(name) !== range.name)
    throw invalid(`Query condition missed key schema element: ${range?.name ?? schema.hash.name}`);
  if (operator === 'begins_with' && range.type !== 'S') throw invalid('begins_with needs a key of type S');
  const [from, to = from] = values.map((word) => boundValue(bindings, word));
  if (from === undefined || to === undefined) throw invalid('the bound of the range key has no value');
  if ((compareValues(from, to) ?? 0) > 0) throw invalid('BETWEEN needs a lower bound that is not above the upper one');
  return { hash, bounds: boundsOf(operator, store(range, from), store(range, to)) };
};
