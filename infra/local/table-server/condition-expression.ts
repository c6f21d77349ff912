/**
 * Condition expressions, parsed once per text. A missing attribute makes every comparison false
 * except `<>`, and so do values of two types.
 */
import { type AttributeValue, compareValues, equalValues } from './attribute-value.ts';
import { invalid, notImplemented } from './inputs.ts';
import { type KeySchema, storeKeyValue } from './tables.ts';
import {
  type Bindings,
  boundValue,
  buildCache,
  type Operand,
  type Placeholders,
  type Rules,
  readCall,
  readOperand,
  readTokens,
  type Tokens,
  type Value,
} from './tokens.ts';

export interface KeyCondition {
  readonly used: Placeholders;
  readonly hash: string;
  readonly hashValue: string;
  /** The range key's attribute, operator and values; undefined without a bound. */
  readonly range: { readonly name: string; readonly operator: string; readonly values: readonly string[] } | undefined;
}

/** Stored keys of one hash; each bound on the range is an SQL comparison. */
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

/** Whether a stored range key keeps to a bound, in the order of bytes, as SQLite has it. */
export const isWithin = (range: string, [operator, text]: KeyRange['bounds'][number]): boolean => {
  const order = Buffer.compare(Buffer.from(range), Buffer.from(text));
  if (order === 0) return operator.includes('=');
  return operator.startsWith(order < 0 ? '<' : '>');
};

type Holds = Operand<boolean>;

/** DynamoDB's limit for the list of IN. */
const IN_OPERANDS_MAX = 100;

const sizeOf = (value: AttributeValue): number | undefined => {
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('M' in value) return Object.keys(value.M).length;
  if ('S' in value) return value.S.length;
  if ('L' in value) return value.L.length;
  if ('SS' in value) return value.SS.length;
  return 'NS' in value ? value.NS.length : undefined;
};

const contains = (whole: AttributeValue, part: AttributeValue): boolean => {
  if ('S' in whole) return 'S' in part && whole.S.includes(part.S);
  if ('SS' in whole) return 'S' in part && whole.SS.includes(part.S);
  if ('NS' in whole) return 'N' in part && whole.NS.includes(part.N);
  return 'L' in whole && whole.L.some((element) => equalValues(element, part));
};

const MEASURES: Rules = {
  size: {
    arity: 1,
    takesPath: true,
    give: (value) => {
      const size = value === undefined ? undefined : sizeOf(value);
      return size === undefined ? undefined : { N: `${size}` };
    },
  },
};

const TESTS: Rules<boolean> = {
  attribute_exists: { arity: 1, takesPath: true, give: (value) => value !== undefined },
  attribute_not_exists: { arity: 1, takesPath: true, give: (value) => value === undefined },
  contains: {
    arity: 2,
    takesPath: true,
    give: (whole, part) => whole !== undefined && part !== undefined && contains(whole, part),
  },
};

/** Values without an order between them are neither above nor below each other. */
const order = (a: AttributeValue, b: AttributeValue): number => compareValues(a, b) ?? Number.NaN;

const COMPARISONS: Readonly<Record<string, (a: AttributeValue, b: AttributeValue) => boolean>> = {
  '=': equalValues,
  '<>': (a, b) => !equalValues(a, b),
  '<': (a, b) => order(a, b) < 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>': (a, b) => order(a, b) > 0,
  '>=': (a, b) => order(a, b) >= 0,
};

const compare = (operator: string, a: Value, b: Value): boolean =>
  a === undefined || b === undefined ? operator === '<>' : COMPARISONS[operator]?.(a, b) === true;

const readComparison = (tokens: Tokens): Holds => {
  const left = readOperand(tokens, MEASURES);
  if (tokens.accept('IN')) {
    tokens.expect('(');
    const among = [readOperand(tokens, MEASURES)];
    while (tokens.accept(',')) among.push(readOperand(tokens, MEASURES));
    tokens.expect(')');
    if (among.length > IN_OPERANDS_MAX) throw invalid(`IN takes at most ${IN_OPERANDS_MAX} operands`);
    return (item, bindings) => among.some((each) => compare('=', left(item, bindings), each(item, bindings)));
  }
  const operator = tokens.next();
  if (operator.toUpperCase() === 'BETWEEN') throw notImplemented('BETWEEN in a condition');
  if (!Object.hasOwn(COMPARISONS, operator)) tokens.fail();
  const right = readOperand(tokens, MEASURES);
  return (item, bindings) => compare(operator, left(item, bindings), right(item, bindings));
};

const readTerm = (tokens: Tokens): Holds => {
  if (tokens.accept('NOT')) {
    const inner = readTerm(tokens);
    return (item, bindings) => !inner(item, bindings);
  }
  if (tokens.accept('(')) {
    const inner = readAny(tokens);
    tokens.expect(')');
    return inner;
  }
  return Object.hasOwn(TESTS, tokens.peek() ?? '') && tokens.peek(1) === '('
    ? readCall(tokens, TESTS, MEASURES)
    : readComparison(tokens);
};

const readAll = (tokens: Tokens): Holds => {
  const terms = [readTerm(tokens)];
  while (tokens.accept('AND')) terms.push(readTerm(tokens));
  return (item, bindings) => terms.every((holds) => holds(item, bindings));
};

const readAny = (tokens: Tokens): Holds => {
  const terms = [readAll(tokens)];
  while (tokens.accept('OR')) terms.push(readAll(tokens));
  return (item, bindings) => terms.some((holds) => holds(item, bindings));
};

export interface ConditionExpression {
  readonly used: Placeholders;
  readonly holds: Holds;
}

/** @throws TableError naming the place that cannot be read */
export const parseCondition = buildCache((text: string): ConditionExpression => {
  const tokens = readTokens('ConditionExpression', text);
  const holds = readAny(tokens);
  tokens.end();
  return { used: tokens.used, holds };
});
