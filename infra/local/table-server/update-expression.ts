/**
 * Update expressions, parsed once per text: SET (a value, a path, `if_not_exists`, `list_append`),
 * REMOVE and ADD; REMOVE also of an element of a list. All operands are read from the item as it
 * was; an item is never changed in place.
 */
import { type AttributeValue, type Item, typeOf } from './attribute-value.ts';
import { valueAt } from './condition-expression.ts';
import { addNumbers } from './decimal.ts';
import { invalid, notImplemented } from './table-error.ts';
import { type Bindings, type Path, readPath, readTokens, readValue, type Tokens } from './tokens.ts';

type Operand = (item: Item, bindings: Bindings) => AttributeValue;
type ActionKind = 'SET' | 'REMOVE' | 'ADD';

interface Action {
  readonly kind: ActionKind;
  readonly path: (bindings: Bindings) => Path;
  readonly operand?: Operand;
}

export interface UpdateExpression {
  readonly tokens: Tokens;
  /** Names of the attributes it writes. */
  readonly targets: (bindings: Bindings) => readonly string[];
  readonly apply: (item: Item, bindings: Bindings) => Item;
}

const wrongType = (): never => {
  throw invalid('An operand in the update expression has an incorrect data type');
};
const noAttribute = (): never => {
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
};

const readOperand = (tokens: Tokens): Operand => {
  if (tokens.peek()?.startsWith(':') === true) {
    const value = readValue(tokens);
    return (_, bindings) => value(bindings);
  }
  if (tokens.peek(1) !== '(') {
    const path = readPath(tokens);
    return (item, bindings) => valueAt(item, path(bindings)) ?? noAttribute();
  }
  const name = tokens.next();
  tokens.expect('(');
  if (name === 'if_not_exists') {
    const path = readPath(tokens);
    tokens.expect(',');
    const otherwise = readOperand(tokens);
    tokens.expect(')');
    return (item, bindings) => valueAt(item, path(bindings)) ?? otherwise(item, bindings);
  }
  if (name !== 'list_append') throw notImplemented(`the function ${name} in an update`);
  const first = readOperand(tokens);
  tokens.expect(',');
  const second = readOperand(tokens);
  tokens.expect(')');
  return (item, bindings) => {
    const [head, tail] = [first(item, bindings), second(item, bindings)];
    return 'L' in head && 'L' in tail ? { L: [...head.L, ...tail.L] } : wrongType();
  };
};

const readAction = (tokens: Tokens, kind: ActionKind): Action => {
  const path = readPath(tokens);
  switch (kind) {
    case 'REMOVE':
      return { kind, path };
    case 'SET': {
      tokens.expect('=');
      const operand = readOperand(tokens);
      if (tokens.peek() === '+' || tokens.peek() === '-') throw notImplemented('arithmetic in SET (use ADD)');
      return { kind, path, operand };
    }
    case 'ADD': {
      const value = readValue(tokens);
      tokens.checks.push((bindings) => {
        const type = typeOf(value(bindings));
        if (!['N', 'SS', 'NS'].includes(type))
          throw invalid(`Invalid UpdateExpression: Incorrect operand type for operator: ADD, operand type: ${type}`);
      });
      return { kind, path, operand: (_, bindings) => value(bindings) };
    }
  }
};

const overlap = (a: Path, b: Path): boolean =>
  a.name === b.name && (a.position === undefined || b.position === undefined || a.position === b.position);

const checkOverlap = (actions: readonly Action[], bindings: Bindings): void => {
  const paths = actions.map(({ path }) => path(bindings));
  for (const [n, path] of paths.entries())
    if (paths.slice(0, n).some((earlier) => overlap(earlier, path)))
      throw invalid(`Invalid UpdateExpression: Two document paths overlap with each other; path: ${path.name}`);
};

const add = (before: AttributeValue | undefined, given: AttributeValue): AttributeValue => {
  if (before === undefined) return given;
  if ('N' in before && 'N' in given) return { N: addNumbers(before.N, given.N) };
  if ('SS' in before && 'SS' in given) return { SS: [...new Set([...before.SS, ...given.SS])] };
  return 'NS' in before && 'NS' in given ? { NS: [...new Set([...before.NS, ...given.NS])] } : wrongType();
};

const applyActions = (actions: readonly Action[], item: Item, bindings: Bindings): Item => {
  const steps = actions.map(({ kind, path, operand }) => ({
    kind,
    ...path(bindings),
    given: operand?.(item, bindings),
  }));
  // Positions are those of the list as it was: later elements are removed first.
  steps.sort((a, b) => (b.position ?? 0) - (a.position ?? 0));
  const result = new Map(Object.entries(item));
  for (const { kind, name, position, given } of steps) {
    const before = result.get(name);
    if (given !== undefined) result.set(name, kind === 'ADD' ? add(before, given) : given);
    else if (position === undefined) result.delete(name);
    else if (before !== undefined && 'L' in before) result.set(name, { L: before.L.toSpliced(position, 1) });
  }
  return Object.fromEntries(result);
};

const ACTION_KINDS = ['SET', 'REMOVE', 'ADD'] as const;

/** @throws TableError naming the place that cannot be read */
export const parseUpdate = (text: string): UpdateExpression => {
  const tokens = readTokens('UpdateExpression', text);
  const actions: Action[] = [];
  const seen = new Set<ActionKind>();
  while (tokens.peek() !== undefined) {
    if (tokens.accept('DELETE')) throw notImplemented('DELETE in an update');
    const kind = ACTION_KINDS.find((word) => tokens.accept(word)) ?? tokens.fail();
    if (seen.has(kind)) throw invalid(`Invalid UpdateExpression: The "${kind}" section can only be used once`);
    seen.add(kind);
    do actions.push(readAction(tokens, kind));
    while (tokens.accept(','));
  }
  tokens.checks.push((bindings) => checkOverlap(actions, bindings));
  tokens.checks.push((bindings) => {
    if (actions.some(({ kind, path }) => kind !== 'REMOVE' && path(bindings).position !== undefined))
      throw notImplemented('SET or ADD of a list element');
  });
  return {
    tokens,
    targets: (bindings) => actions.map(({ path }) => path(bindings).name),
    apply: (item, bindings) => applyActions(actions, item, bindings),
  };
};
