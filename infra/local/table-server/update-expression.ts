/**
 * Update expressions, parsed once per text: SET, REMOVE and ADD. All operands are read from the
 * item as it was; an item is never changed in place.
 */
import { type AttributeValue, addNumbers, type Item, typeOf } from './attribute-value.ts';
import { invalid, notImplemented } from './inputs.ts';
import {
  type Bindings,
  buildCache,
  type Operand,
  type Path,
  type Placeholders,
  type Rules,
  readOperand,
  readPath,
  readTokens,
  readValue,
  type Tokens,
  type Value,
} from './tokens.ts';

const KINDS = ['SET', 'REMOVE', 'ADD'] as const;
type UpdateKind = (typeof KINDS)[number];

interface Action {
  readonly kind: UpdateKind;
  readonly path: (bindings: Bindings) => Path;
  readonly operand?: Operand;
}

export interface UpdateExpression {
  readonly used: Placeholders;
  /** Names of the attributes it writes. */
  readonly targets: (bindings: Bindings) => readonly string[];
  readonly apply: (item: Item, bindings: Bindings) => Item;
}

const wrongType = (): never => {
  throw invalid('An operand in the update expression has an incorrect data type');
};
const required = (value: Value): AttributeValue => {
  if (value === undefined) throw invalid('the expression refers to an attribute that the item does not have');
  return value;
};

const MAKERS: Rules = {
  if_not_exists: { arity: 2, takesPath: true, give: (value, otherwise) => value ?? otherwise },
  list_append: {
    arity: 2,
    takesPath: false,
    give: (first, second) => {
      const [head, tail] = [required(first), required(second)];
      return 'L' in head && 'L' in tail ? { L: [...head.L, ...tail.L] } : wrongType();
    },
  },
};

const readAction = (tokens: Tokens, kind: UpdateKind): Action => {
  const path = readPath(tokens);
  if (kind === 'REMOVE') return { kind, path };
  tokens.used.checks.push((bindings) => {
    if (path(bindings).position !== undefined) throw notImplemented('SET or ADD of a list element');
  });
  if (kind === 'SET') {
    tokens.expect('=');
    const operand = readOperand(tokens, MAKERS);
    if (['+', '-'].includes(tokens.peek() ?? '')) throw notImplemented('arithmetic in SET (use ADD)');
    return { kind, path, operand };
  }
  const value = readValue(tokens);
  tokens.used.checks.push((bindings) => {
    const type = typeOf(value(bindings));
    if (!['N', 'SS', 'NS'].includes(type)) throw invalid(`ADD cannot add a value of type ${type}`);
  });
  return { kind, path, operand: (_, bindings) => value(bindings) };
};

const overlap = (a: Path, b: Path): boolean =>
  a.name === b.name && (a.position === undefined || b.position === undefined || a.position === b.position);

const checkOverlap = (actions: readonly Action[], bindings: Bindings): void => {
  const paths = actions.map(({ path }) => path(bindings));
  for (const [n, path] of paths.entries())
    if (paths.slice(0, n).some((earlier) => overlap(earlier, path)))
      throw invalid(`two paths of the update overlap: ${path.name}`);
};

const add = (before: Value, given: AttributeValue): AttributeValue => {
  if (before === undefined) return given;
  if ('N' in before && 'N' in given) return { N: addNumbers(before.N, given.N) };
  if ('SS' in before && 'SS' in given) return { SS: [...new Set([...before.SS, ...given.SS])] };
  return 'NS' in before && 'NS' in given ? { NS: [...new Set([...before.NS, ...given.NS])] } : wrongType();
};

const applyActions = (actions: readonly Action[], item: Item, bindings: Bindings): Item => {
  const steps = actions.map(({ kind, path, operand }) => ({
    kind,
    ...path(bindings),
    given: operand === undefined ? undefined : required(operand(item, bindings)),
  }));
  // Positions are those of the list as it was: later elements are removed first.
  steps.sort((a, b) => (b.position ?? 0) - (a.position ?? 0));
  const result = new Map(Object.entries(item));
  for (const { kind, name, position, given } of steps) {
    const before = result.get(name);
    if (given !== undefined) result.set(name, kind === 'ADD' ? add(before, given) : given);
    else if (position === undefined) result.delete(name);
    else if (before !== undefined && 'L' in before) result.set(name, { L: before.L.toSpliced(position, 1) });
    else throw invalid('The document path provided in the update expression is invalid for update');
  }
  return Object.fromEntries(result);
};

/** @throws TableError naming the place that cannot be read */
export const parseUpdate = buildCache((text: string): UpdateExpression => {
  const tokens = readTokens('UpdateExpression', text);
  const actions: Action[] = [];
  const seen = new Set<UpdateKind>();
  while (tokens.peek() !== undefined) {
    if (tokens.accept('DELETE')) throw notImplemented('DELETE in an update');
    const kind = KINDS.find((word) => tokens.accept(word)) ?? tokens.fail();
    if (seen.has(kind)) throw invalid(`the section ${kind} of an update can only be used once`);
    seen.add(kind);
    do actions.push(readAction(tokens, kind));
    while (tokens.accept(','));
  }
  tokens.used.checks.push((bindings) => checkOverlap(actions, bindings));
  return {
    used: tokens.used,
    targets: (bindings) => actions.map(({ path }) => path(bindings).name),
    apply: (item, bindings) => applyActions(actions, item, bindings),
  };
});
