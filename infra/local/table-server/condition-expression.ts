/**
 * Condition expressions, parsed once per text: comparisons, IN, AND, OR, NOT, `attribute_exists`,
 * `attribute_not_exists`, `contains` and `size`. A missing attribute makes every comparison false
 * except `<>`, and so do values of two types.
 */
import { type AttributeValue, attributeOf, compareValues, equalValues, type Item } from './attribute-value.ts';
import { notImplemented } from './table-error.ts';
import { type Bindings, type Path, readPath, readTokens, readValue, type Tokens } from './tokens.ts';

type Holds = (item: Item, bindings: Bindings) => boolean;
type Operand = (item: Item, bindings: Bindings) => AttributeValue | undefined;

export const valueAt = (item: Item, { name, position }: Path): AttributeValue | undefined => {
  const value = attributeOf(item, name);
  if (position === undefined || value === undefined) return value;
  return 'L' in value ? value.L[position] : undefined;
};

const sizeOf = (value: AttributeValue): number | undefined => {
  if ('S' in value) return value.S.length;
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('L' in value) return value.L.length;
  if ('M' in value) return Object.keys(value.M).length;
  if ('SS' in value) return value.SS.length;
  return 'NS' in value ? value.NS.length : undefined;
};

const contains = (whole: AttributeValue, part: AttributeValue): boolean => {
  if ('S' in whole) return 'S' in part && whole.S.includes(part.S);
  if ('SS' in whole) return 'S' in part && whole.SS.includes(part.S);
  if ('NS' in whole) return 'N' in part && whole.NS.includes(part.N);
  return 'L' in whole && whole.L.some((element) => equalValues(element, part));
};

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const compare = (operator: string, a: AttributeValue | undefined, b: AttributeValue | undefined): boolean => {
  if (operator === '<>') return a === undefined || b === undefined || !equalValues(a, b);
  if (a === undefined || b === undefined) return false;
  if (operator === '=') return equalValues(a, b);
  const order = compareValues(a, b);
  return order !== undefined && ORDERS[operator]?.(order) === true;
};

/** A path, a value, or the size of a path. */
const readOperand = (tokens: Tokens): Operand => {
  if (tokens.peek()?.startsWith(':') === true) {
    const value = readValue(tokens);
    return (_, bindings) => value(bindings);
  }
  const isSize = tokens.peek(1) === '(';
  if (isSize) {
    tokens.expect('SIZE');
    tokens.expect('(');
  }
  const path = readPath(tokens);
  if (!isSize) return (item, bindings) => valueAt(item, path(bindings));
  tokens.expect(')');
  return (item, bindings) => {
    const value = valueAt(item, path(bindings));
    const size = value === undefined ? undefined : sizeOf(value);
    return size === undefined ? undefined : { N: `${size}` };
  };
};

const readList = (tokens: Tokens): readonly Operand[] => {
  tokens.expect('(');
  const operands = [readOperand(tokens)];
  while (tokens.accept(',')) operands.push(readOperand(tokens));
  tokens.expect(')');
  return operands;
};

const readComparison = (tokens: Tokens): Holds => {
  const left = readOperand(tokens);
  if (tokens.accept('IN')) {
    const among = readList(tokens);
    return (item, bindings) => among.some((each) => compare('=', left(item, bindings), each(item, bindings)));
  }
  const operator = tokens.next();
  if (operator.toUpperCase() === 'BETWEEN') throw notImplemented('BETWEEN in a condition');
  if (operator !== '=' && operator !== '<>' && ORDERS[operator] === undefined) tokens.fail();
  const right = readOperand(tokens);
  return (item, bindings) => compare(operator, left(item, bindings), right(item, bindings));
};

const readFunction = (tokens: Tokens): Holds => {
  const name = tokens.next();
  tokens.expect('(');
  const path = readPath(tokens);
  switch (name) {
    case 'attribute_exists':
      return (item, bindings) => valueAt(item, path(bindings)) !== undefined;
    case 'attribute_not_exists':
      return (item, bindings) => valueAt(item, path(bindings)) === undefined;
    case 'contains': {
      tokens.expect(',');
      const part = readOperand(tokens);
      return (item, bindings) => {
        const [whole, wanted] = [valueAt(item, path(bindings)), part(item, bindings)];
        return whole !== undefined && wanted !== undefined && contains(whole, wanted);
      };
    }
    default:
      throw notImplemented(`the function ${name} in a condition`);
  }
};

const readTerm = (tokens: Tokens): Holds => {
  if (tokens.accept('NOT')) {
    const inner = readTerm(tokens);
    return (item, bindings) => !inner(item, bindings);
  }
  const isGroup = tokens.accept('(');
  if (!isGroup && (tokens.peek(1) !== '(' || tokens.peek() === 'size')) return readComparison(tokens);
  const holds = isGroup ? readAny(tokens) : readFunction(tokens);
  tokens.expect(')');
  return holds;
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
  readonly tokens: Tokens;
  readonly holds: Holds;
}

/** @throws TableError naming the place that cannot be read */
export const parseCondition = (text: string): ConditionExpression => {
  const tokens = readTokens('ConditionExpression', text);
  const holds = readAny(tokens);
  tokens.end();
  return { tokens, holds };
};
