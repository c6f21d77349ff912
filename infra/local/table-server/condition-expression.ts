/**
 * Condition expressions, parsed once per text: comparisons, IN, AND, OR, NOT, `attribute_exists`,
 * `attribute_not_exists`, `contains` and `size`. A missing attribute makes every comparison false
 * except `<>`, and so do values of two types.
 */
import { type AttributeValue, compareValues, equalValues } from './attribute-value.ts';
import { type Operand, type Rules, readCall, readOperand, type Value } from './operand.ts';
import { notImplemented } from './table-error.ts';
import { buildCache, type Placeholders, readTokens, type Tokens } from './tokens.ts';

type Holds = Operand<boolean>;

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
