/**
 * Operands of condition and update expressions: a value of the request, an attribute of the item,
 * or a function of some. A function is a row of a table; one that has no row is refused by name.
 */
import { type AttributeValue, attributeOf, type Item } from './attribute-value.ts';
import { notImplemented } from './table-error.ts';
import { type Bindings, type Path, readPath, readValue, type Tokens } from './tokens.ts';

/** Undefined where an attribute is missing. */
export type Value = AttributeValue | undefined;
export type Operand<T = Value> = (item: Item, bindings: Bindings) => T;

interface Rule<T> {
  readonly arity: 1 | 2;
  /** Whether the first argument has to be an attribute. */
  readonly takesPath: boolean;
  readonly give: (first: Value, second: Value) => T;
}
export type Rules<T = Value> = Readonly<Record<string, Rule<T>>>;

const valueAt = (item: Item, { name, position }: Path): Value => {
  const value = attributeOf(item, name);
  if (position === undefined || value === undefined) return value;
  return 'L' in value ? value.L[position] : undefined;
};

const readAttribute = (tokens: Tokens): Operand => {
  const path = readPath(tokens);
  return (item, bindings) => valueAt(item, path(bindings));
};

/** @param inner functions that may stand among the arguments */
export const readCall = <T>(tokens: Tokens, rules: Rules<T>, inner: Rules): Operand<T> => {
  const name = tokens.next();
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) throw notImplemented(`the function ${name} in this expression`);
  tokens.expect('(');
  const first = rule.takesPath ? readAttribute(tokens) : readOperand(tokens, inner);
  if (rule.arity === 2) tokens.expect(',');
  const second = rule.arity === 2 ? readOperand(tokens, inner) : undefined;
  tokens.expect(')');
  return (item, bindings) => rule.give(first(item, bindings), second?.(item, bindings));
};

export const readOperand = (tokens: Tokens, rules: Rules): Operand => {
  if (tokens.peek()?.startsWith(':') === true) {
    const value = readValue(tokens);
    return (_, bindings) => value(bindings);
  }
  return tokens.peek(1) === '(' ? readCall(tokens, rules, rules) : readAttribute(tokens);
};
