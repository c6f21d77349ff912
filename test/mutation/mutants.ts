/**
 * Changes source code in the ways that people err in code that must happen once: a condition is
 * negated or dropped, a bound moves, a state is another one, two writes change places, nobody waits
 * for a write, a field is left out or comes from elsewhere. Gives each change as text, and a form
 * of the file that notes which changes matter.
 */
import { type ParseResult, parse } from '@babel/parser';

export const KINDS = ['condition', 'bound', 'state', 'order', 'await', 'field'] as const;

export interface Mutant {
  /** From the repository's root. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly put: string;
  readonly kind: (typeof KINDS)[number];
  readonly line: number;
  /** Runs when the file is loaded, before any test. */
  readonly isStatic: boolean;
  /** Both forms may be evaluated, one after the other, to see whether they differ. */
  readonly isComparable: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const nodesIn = (value: unknown): readonly Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];

/** States that are mistaken for each other. */
const STATES: readonly (readonly string[])[] = [
  ['done', 'failed', 'unknown', 'refused', 'claimed', 'suspended'],
  ['received', 'perceived', 'reasoned', 'acted', 'dropped', 'dead-lettered'],
  ['pending', 'approved', 'denied', 'expired', 'spent', 'live', 'revoked'],
];

const nextState = (state: string): string | undefined => {
  const group = STATES.find((one) => one.includes(state));
  return group?.[(group.indexOf(state) + 1) % group.length];
};

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
/** Calls whose arguments are conditions of a write, or the whole condition as the last argument. */
const JOINERS: readonly string[] = ['allOf', 'anyOf'];
const WRITES: readonly string[] = ['update', 'put', 'updateIf'];

/** Of stored forms, which old data must keep to. */
const SCHEMAS: readonly string[] = ['enum', 'literal'];

const FUNCTION = /Function|ClassMethod|ObjectMethod/;
const TYPES = /^TS(?!AsExpression|NonNullExpression|SatisfiesExpression)/;

type Add = (node: Node, put: string, kind: Mutant['kind'], isComparable?: boolean) => void;

const childrenOf = (node: Node): readonly (readonly [key: string, child: Node])[] =>
  Object.entries(node).flatMap(([key, value]) => nodesIn(value).map((child) => [key, child] as const));

/** Whether a function waits in this node itself, not in a function inside it. */
const hasAwait = (node: Node): boolean =>
  node.type === 'AwaitExpression' ||
  (!FUNCTION.test(node.type) && childrenOf(node).some(([, child]) => hasAwait(child)));

const leaves = (node: Node): boolean =>
  /^(?:Return|Throw|Break|Continue)Statement$/.test(node.type) ||
  (!FUNCTION.test(node.type) && childrenOf(node).some(([, child]) => leaves(child)));

/** Names that a statement declares. */
const declared = (node: Node, textOf: (node: Node) => string): readonly string[] =>
  nodesIn(node.declarations).flatMap(({ id }) => (isNode(id) ? (textOf(id).match(/\w+/g) ?? []) : []));

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  return node.type === 'MemberExpression' ? nameOf(node.property) : String(node.name ?? '');
};

const changeConditions = (node: Node, textOf: (node: Node) => string, add: Add): void => {
  const { test, left, right, operator } = node;
  if (/^(?:If|While|DoWhile|For)Statement$|^ConditionalExpression$/.test(node.type) && isNode(test))
    add(test, `!(${textOf(test)})`, 'condition');
  if (node.type === 'LogicalExpression' && operator !== '??' && isNode(left) && isNode(right)) {
    add(node, `(${textOf(left)})`, 'condition', true);
    add(node, `(${textOf(right)})`, 'condition', true);
  }
  const other = node.type === 'BinaryExpression' ? COMPARISONS[String(operator)] : undefined;
  if (other !== undefined && isNode(left) && isNode(right)) {
    const kind = other.length === 3 ? 'condition' : 'bound';
    add(node, `${textOf(left)} ${other} ${textOf(right)}`, kind, true);
  }
  if (node.type !== 'CallExpression') return;
  const given = nodesIn(node.arguments);
  const call = (args: readonly Node[]): string =>
    isNode(node.callee) ? `${textOf(node.callee)}(${args.map(textOf).join(', ')})` : '';
  const name = nameOf(node.callee);
  if (JOINERS.includes(name) && given.length > 1)
    for (const one of given) add(node, call(given.filter((arg) => arg !== one)), 'condition');
  if (WRITES.includes(name) && given.length >= 3) add(node, call(given.slice(0, -1)), 'condition');
};

const changeValues = (node: Node, parent: Node, textOf: (node: Node) => string, add: Add): void => {
  const { left, right } = node;
  if (node.type === 'NumericLiteral' && nameOf(parent.key) !== 'schemaVersion') {
    const value = Number(node.value);
    add(node, String(value < 10 ? value + 1 : value * 10), 'bound');
  }
  if (node.type === 'StringLiteral') {
    const next = nextState(String(node.value));
    if (next !== undefined) add(node, `'${next}'`, 'state');
  }
  if (!isNode(left) || !isNode(right)) return;
  if (node.type === 'LogicalExpression' && node.operator === '??')
    for (const side of [left, right]) add(node, `(${textOf(side)})`, 'field', true);
  if (node.type !== 'BinaryExpression') return;
  const isText = [left, right].some(({ type }) => /String|Template/.test(type));
  const other = node.operator === '-' ? '+' : node.operator === '+' && !isText ? '-' : undefined;
  if (other !== undefined) add(node, `${textOf(left)} ${other} ${textOf(right)}`, 'bound', true);
};

/** Each field left out; of two fields whose values are names, each with the other's value. */
const changeFields = (node: Node, textOf: (node: Node) => string, add: Add): void => {
  const fields = nodesIn(node.properties);
  if (node.type !== 'ObjectExpression') return;
  const build = (texts: readonly string[]): string => `{ ${texts.join(', ')} }`;
  for (const [n, { key, value }] of fields.entries()) {
    if (!isNode(key) || fields.length === 1) continue;
    add(node, build(fields.filter((_, other) => other !== n).map(textOf)), 'field');
    const before = fields[n - 1];
    const names = [before?.value, value].filter((one) => isNode(one) && /^(?:Identifier|MemberE)/.test(one.type));
    if (before === undefined || !isNode(before.key) || !isNode(before.value) || !isNode(value) || names.length < 2)
      continue;
    const swapped = [`${textOf(before.key)}: ${textOf(value)}`, `${textOf(key)}: ${textOf(before.value)}`];
    add(node, build([...fields.slice(0, n - 1).map(textOf), ...swapped, ...fields.slice(n + 1).map(textOf)]), 'field');
  }
};

const changeStatements = (node: Node, textOf: (node: Node) => string, source: string, add: Add): void => {
  const { expression } = node;
  if (node.type === 'ExpressionStatement' && isNode(expression) && expression.type === 'AwaitExpression')
    add(node, textOf(node).replace(/^await /, ''), 'await');
  const statements = nodesIn(node.body);
  if (node.type !== 'BlockStatement') return;
  for (const [n, second] of statements.entries()) {
    const first = statements[n - 1];
    if (first === undefined || leaves(first) || leaves(second)) continue;
    const waits = [first, second].filter(hasAwait).length;
    const calls = [first, second].filter(({ type }) => type === 'ExpressionStatement').length;
    if (waits === 0 || waits + calls < 2) continue;
    const needs = (one: Node, names: readonly string[]): boolean =>
      names.some((name) => new RegExp(`\\b${name}\\b`).test(textOf(one)));
    if (needs(second, declared(first, textOf)) || needs(first, declared(second, textOf))) continue;
    const between = source.slice(first.end, second.start);
    add({ ...first, end: second.end }, `${textOf(second)}${between}${textOf(first)}`, 'order');
  }
};

/** All changes of a file, in the order of the source. Pure. */
export const findMutants = (file: string, source: string): readonly Mutant[] => {
  const tree: ParseResult = parse(source, {
    sourceType: 'module',
    plugins: ['typescript'],
    createParenthesizedExpressions: true,
  });
  const found: Mutant[] = [];
  const textOf = (node: Node): string => source.slice(node.start, node.end);
  const visit = (node: Node, parent: Node, isStatic: boolean): void => {
    if (TYPES.test(node.type) || /^Import/.test(node.type) || SCHEMAS.includes(nameOf(node.callee))) return;
    const add: Add = (at, put, kind, isComparable = false) => {
      const { start, end } = at;
      const line = at.loc.start.line;
      found.push({ file, start, end, put, kind, line, isStatic, isComparable: isComparable && !hasAwait(at) });
    };
    changeConditions(node, textOf, add);
    changeValues(node, parent, textOf, add);
    if (!isStatic) changeFields(node, textOf, add);
    changeStatements(node, textOf, source, add);
    const isInside = isStatic && !FUNCTION.test(node.type);
    // A key of an object, or a member's name, is no value.
    for (const [key, child] of childrenOf(node)) if (key !== 'key') visit(child, node, isInside);
  };
  for (const [, child] of childrenOf(tree as unknown as Node)) visit(child, child, true);
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
};

export const applyMutant = (source: string, { start, end, put }: Mutant): string =>
  source.slice(0, start) + put + source.slice(end);

/**
 * `activeMutant` is in force. Without one, a change that matters calls `noteMutant`. A fault may
 * strike where the change `struckMutant` is.
 */
const NOTES = `const note$ = (n) => {
  if (globalThis.struckMutant === n) globalThis.strikeHere?.();
  if (globalThis.activeMutant !== undefined) return globalThis.activeMutant === n;
  globalThis.noteMutant?.(n);
  return false;
};
const differ$ = (n, own, other) => {
  if (globalThis.activeMutant !== undefined) return note$(n) ? other() : own();
  const value = own();
  try { if (!Object.is(value, other())) note$(n); } catch { note$(n); }
  return value;
};
`;

/**
 * The file with all changes, none of them in force; it notes each that is reached and would give
 * another value. Changes that run while the file is loaded, or move declarations, are not in it.
 */
export const noteMutants = (source: string, mutants: readonly (readonly [n: number, mutant: Mutant])[]): string => {
  const inside = mutants.filter(([, { isStatic }]) => !isStatic);
  const render = (from: number, until: number, left: readonly (readonly [number, Mutant])[]): string => {
    const [first, ...others] = left;
    if (first === undefined) return source.slice(from, until);
    const [n, { start, end, put, kind, isComparable }] = first;
    // Two pairs may share a statement.
    if (kind === 'order') return `${source.slice(from, start)}note$(${n});\n${render(start, until, others)}`;
    const inner = others.filter(([, one]) => one.end <= end);
    const rest = others.filter(([, one]) => one.start >= end);
    const own = render(start, end, inner);
    const whole =
      kind === 'await'
        ? `if (note$(${n})) { ${put} } else { ${own} }`
        : isComparable
          ? `differ$(${n}, () => (${own}), () => (${put}))`
          : `(note$(${n}) ? ${put} : ${own})`;
    return source.slice(from, start) + whole + render(end, until, rest);
  };
  return NOTES + render(0, source.length, inside);
};
