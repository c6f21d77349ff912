/** Conditions and changes of DynamoDB writes. A failed write gives its condition's name. */
import { defined } from '../base/defined.ts';

/** No undefined: the SDK leaves it out of the values, and the table then refuses the expression. */
type AttributeValue = string | number | bigint | boolean | object | null;

/** Collects placeholders: names and values never stand in the expression itself. */
interface Placeholders {
  readonly name: (attribute: string) => string;
  readonly value: (value: AttributeValue) => string;
}

export type Predicate = (p: Placeholders) => string;

const compare =
  <Value extends AttributeValue>(sign: '=' | '<>' | '<' | '<=' | '>' | '>=') =>
  (attribute: string, value: Value): Predicate =>
  (p) =>
    `${p.name(attribute)} ${sign} ${p.value(value)}`;

export const equals = compare('=');
/** A missing attribute differs from every value. */
export const differs = compare('<>');
export const below = compare<number>('<');
export const atMost = compare<number>('<=');
export const above = compare<number>('>');
export const atLeast = compare<number>('>=');

export const absent =
  (attribute: string): Predicate =>
  (p) =>
    `attribute_not_exists(${p.name(attribute)})`;
export const present =
  (attribute: string): Predicate =>
  (p) =>
    `attribute_exists(${p.name(attribute)})`;
export const oneOf =
  (attribute: string, values: readonly AttributeValue[]): Predicate =>
  (p) =>
    `${p.name(attribute)} IN (${values.map((value) => p.value(value)).join(', ')})`;
export const contains =
  (attribute: string, value: string): Predicate =>
  (p) =>
    `contains(${p.name(attribute)}, ${p.value(value)})`;
export const shorterThan =
  (attribute: string, length: number): Predicate =>
  (p) =>
    `size(${p.name(attribute)}) < ${p.value(length)}`;
export const isEmptyList =
  (attribute: string): Predicate =>
  (p) =>
    `size(${p.name(attribute)}) = ${p.value(0)}`;
export const startsWithElement =
  (attribute: string, value: string): Predicate =>
  (p) =>
    `${p.name(attribute)}[0] = ${p.value(value)}`;
export const not =
  (predicate: Predicate): Predicate =>
  (p) =>
    `NOT (${predicate(p)})`;

const join =
  (predicates: readonly Predicate[], word: 'AND' | 'OR'): Predicate =>
  (p) => {
    const parts = predicates.map((predicate) => predicate(p));
    return parts.length === 1 ? parts.join('') : parts.map((part) => `(${part})`).join(` ${word} `);
  };
export const allOf = (...predicates: readonly Predicate[]): Predicate => join(predicates, 'AND');
export const anyOf = (...predicates: readonly Predicate[]): Predicate => join(predicates, 'OR');

/** A predicate with the name its failure carries. */
export interface Condition {
  readonly name: string;
  readonly holds: Predicate;
}

/** The key has no item yet. */
export const IS_NEW: Condition = { name: 'is new', holds: absent('pk') };

export interface ItemChange {
  readonly set?: Readonly<Record<string, AttributeValue>>;
  /** Set only if the attribute does not exist yet. */
  readonly setOnce?: Readonly<Record<string, AttributeValue>>;
  /** Set to the value of another attribute, or to this one if there is none. */
  readonly setFrom?: Readonly<Record<string, { readonly from: string; readonly otherwise: AttributeValue }>>;
  readonly remove?: readonly string[];
  /** Removes the first element of a list. */
  readonly removeFirst?: string;
  /** Appends to a list; a missing list is made. */
  readonly append?: Readonly<Record<string, readonly AttributeValue[]>>;
  /** Adds to a number (missing: 0) or to a set of strings. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string>>>;
  /** Puts a value into the first; each other takes what the one before it held. */
  readonly push?: { readonly names: readonly string[]; readonly value: AttributeValue };
}

/** Builds the update and condition expressions of one write over one set of placeholders. */
export const buildExpressions = (condition: Condition | undefined, change?: ItemChange) => {
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const placeholders: Placeholders = {
    name: (attribute) => {
      names[`#${attribute}`] = attribute;
      return `#${attribute}`;
    },
    value: (value) => {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = value;
      return placeholder;
    },
  };
  const update = change === undefined ? undefined : updateExpression(change, placeholders);
  const holds = condition?.holds(placeholders);
  return { ...defined({ condition: holds, update }), names, values };
};

const pushes = ({ push }: ItemChange, p: Placeholders): readonly string[] => {
  if (push === undefined) return [];
  const value = p.value(push.value);
  return push.names.map((name, at) => {
    const before = push.names[at - 1];
    return `${p.name(name)} = ${before === undefined ? value : `if_not_exists(${p.name(before)}, ${value})`}`;
  });
};

const updateExpression = (change: ItemChange, p: Placeholders): string => {
  const sets = [
    ...Object.entries(change.set ?? {}).map(([name, value]) => `${p.name(name)} = ${p.value(value)}`),
    ...Object.entries(change.setOnce ?? {}).map(
      ([name, value]) => `${p.name(name)} = if_not_exists(${p.name(name)}, ${p.value(value)})`,
    ),
    ...Object.entries(change.setFrom ?? {}).map(
      ([name, { from, otherwise }]) => `${p.name(name)} = if_not_exists(${p.name(from)}, ${p.value(otherwise)})`,
    ),
    ...pushes(change, p),
    ...Object.entries(change.append ?? {}).map(
      ([name, list]) =>
        `${p.name(name)} = list_append(if_not_exists(${p.name(name)}, ${p.value([])}), ${p.value([...list])})`,
    ),
  ];
  const removes = [
    ...(change.remove ?? []).map((name) => p.name(name)),
    ...(change.removeFirst === undefined ? [] : [`${p.name(change.removeFirst)}[0]`]),
  ];
  const adds = Object.entries(change.add ?? {}).map(
    ([name, value]) => `${p.name(name)} ${p.value(value instanceof Set ? new Set(value) : value)}`,
  );
  return [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '',
    adds.length > 0 ? `ADD ${adds.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
};
