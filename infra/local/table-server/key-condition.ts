/** Key conditions of a query: one hash key, and at most one bound on the range key. */
import type { AttributeValue } from './attribute-value.ts';
import { compareValues } from './attribute-value.ts';
import { invalid } from './table-error.ts';
import { type KeySchema, storeKeyValue } from './table-schema.ts';
import { type Bindings, type Path, readPath, readTokens, readValue, type Tokens } from './tokens.ts';

interface Term {
  readonly path: (bindings: Bindings) => Path;
  readonly operator: string;
  readonly values: readonly ((bindings: Bindings) => AttributeValue)[];
}

export interface KeyCondition {
  readonly tokens: Tokens;
  readonly terms: readonly Term[];
}

/**
 * Which stored keys a query is about: of one hash, with bounds on the range, each an SQL comparison
 * with a text.
 */
export interface KeyRange {
  readonly hash: string;
  readonly bounds: readonly (readonly ['=' | '<' | '<=' | '>' | '>=', string])[];
}

const OPERATORS = ['=', '<', '<=', '>', '>='] as const;
/** Sorts behind every character that a text may hold. */
const LAST_CHARACTER = '\u{10ffff}';

const readTerm = (tokens: Tokens): Term => {
  if (tokens.peek(1) === '(') {
    if (tokens.next() !== 'begins_with') tokens.fail();
    tokens.expect('(');
    const path = readPath(tokens);
    tokens.expect(',');
    const value = readValue(tokens);
    tokens.expect(')');
    return { path, operator: 'begins_with', values: [value] };
  }
  const path = readPath(tokens);
  if (tokens.accept('BETWEEN')) {
    const from = readValue(tokens);
    tokens.expect('AND');
    return { path, operator: 'BETWEEN', values: [from, readValue(tokens)] };
  }
  return { path, operator: tokens.next(), values: [readValue(tokens)] };
};

/** @throws TableError naming the place that cannot be read */
export const parseKeyCondition = (text: string): KeyCondition => {
  const tokens = readTokens('KeyConditionExpression', text);
  const terms = [readTerm(tokens)];
  while (tokens.accept('AND')) terms.push(readTerm(tokens));
  tokens.end();
  return { tokens, terms };
};

const boundsOf = (operator: string, from: string, to: string | undefined): KeyRange['bounds'] => {
  if (operator === 'BETWEEN' && to !== undefined)
    return [
      ['>=', from],
      ['<=', to],
    ];
  if (operator === 'begins_with')
    return [
      ['>=', from],
      ['<', from + LAST_CHARACTER],
    ];
  const known = OPERATORS.find((each) => each === operator);
  if (known === undefined) throw invalid(`Unexpected operator in KeyConditionExpression: ${operator}`);
  return [[known, from]];
};

/**
 * @throws TableError when the condition does not fit the keys; undefined when no item can satisfy
 * it
 */
export const resolveKeyCondition = (
  condition: KeyCondition,
  schema: KeySchema,
  bindings: Bindings,
): KeyRange | undefined => {
  const terms = condition.terms.map(({ path, operator, values }) => ({
    name: path(bindings).name,
    operator,
    values: values.map((value) => value(bindings)),
  }));
  const hashTerm = terms.find(({ name }) => name === schema.hash.name);
  const rangeTerm = terms.find((term) => term !== hashTerm);
  if (hashTerm === undefined) throw invalid(`Query condition missed key schema element: ${schema.hash.name}`);
  if (hashTerm.operator !== '=') throw invalid('Query key condition not supported');
  if (terms.length > 2) throw invalid('Conditions can be of length 1 or 2 only');
  const typed = (key: KeySchema['hash'], value: AttributeValue): string => {
    const stored = storeKeyValue(key, value);
    if (stored === undefined)
      throw invalid(`One or more parameter values were invalid: Condition parameter type does not match schema type`);
    return stored;
  };
  const [hashValue] = hashTerm.values;
  if (hashValue === undefined) throw invalid('Query key condition not supported');
  const hash = typed(schema.hash, hashValue);
  if (rangeTerm === undefined) return { hash, bounds: [] };
  const { range } = schema;
  if (range === undefined || rangeTerm.name !== range.name)
    throw invalid(`Query condition missed key schema element: ${range?.name ?? schema.hash.name}`);
  const [from, to] = rangeTerm.values;
  if (from === undefined) throw invalid('Query key condition not supported');
  if (rangeTerm.operator === 'begins_with' && range.type !== 'S')
    throw invalid(
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: ' +
        `begins_with, operand type: ${range.type}`,
    );
  if (to !== undefined && (compareValues(from, to) ?? 0) > 0)
    throw invalid(
      'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
    );
  return { hash, bounds: boundsOf(rangeTerm.operator, typed(range, from), to && typed(range, to)) };
};
