/**
 * Conditions and changes of DynamoDB writes, built from named predicates. A write that meets another state than it
 * expects fails with the condition's name, so that a person reading a log knows which rule held it back.
 */

import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import { defined } from '../base/defined.ts';

/** Collects placeholders while an expression is built: names and values never appear in the expression itself. */
interface Placeholders {
  readonly name: (attribute: string) => string;
  readonly value: (value: NativeAttributeValue) => string;
}

export type Predicate = (p: Placeholders) => string;

export const absent =
  (attribute: string): Predicate =>
  (p) =>
    `attribute_not_exists(${p.name(attribute)})`;
export const present =
  (attribute: string): Predicate =>
  (p) =>
    `attribute_exists(${p.name(attribute)})`;
export const equals =
  (attribute: string, value: NativeAttributeValue): Predicate =>
  (p) =>
    `${p.name(attribute)} = ${p.value(value)}`;
export const differs =
  (attribute: string, value: NativeAttributeValue): Predicate =>
  (p) =>
    `${p.name(attribute)} <> ${p.value(value)}`;
export const oneOf =
  (attribute: string, values: readonly NativeAttributeValue[]): Predicate =>
  (p) =>
    `${p.name(attribute)} IN (${values.map((value) => p.value(value)).join(', ')})`;
export const below =
  (attribute: string, value: number): Predicate =>
  (p) =>
    `${p.name(attribute)} < ${p.value(value)}`;
export const above =
  (attribute: string, value: number): Predicate =>
  (p) =>
    `${p.name(attribute)} > ${p.value(value)}`;
export const atLeast =
  (attribute: string, value: number): Predicate =>
  (p) =>
    `${p.name(attribute)} >= ${p.value(value)}`;
export const contains =
  (attribute: string, value: string): Predicate =>
  (p) =>
    `contains(${p.name(attribute)}, ${p.value(value)})`;
export const shorterThan =
  (attribute: string, length: number): Predicate =>
  (p) =>
    `size(${p.name(attribute)}) < ${p.value(length)}`;
/** The first element of a list attribute. */
export const startsWithElement =
  (attribute: string, value: string): Predicate =>
  (p) =>
    `${p.name(attribute)}[0] = ${p.value(value)}`;
export const isEmptyList =
  (attribute: string): Predicate =>
  (p) =>
    `size(${p.name(attribute)}) = ${p.value(0)}`;
export const not =
  (predicate: Predicate): Predicate =>
  (p) =>
    `NOT (${predicate(p)})`;
/** A single predicate takes no parentheses: the database refuses redundant ones. */
const join =
  (predicates: readonly Predicate[], word: 'AND' | 'OR'): Predicate =>
  (p) => {
    const parts = predicates.map((predicate) => predicate(p));
    return parts.length === 1 ? parts.join('') : parts.map((part) => `(${part})`).join(` ${word} `);
  };
export const allOf = (...predicates: readonly Predicate[]): Predicate => join(predicates, 'AND');
export const anyOf = (...predicates: readonly Predicate[]): Predicate => join(predicates, 'OR');

/** A predicate with the name it fails under. */
export interface Condition {
  readonly name: string;
  readonly holds: Predicate;
}

/** `put` of something that must not exist yet. */
export const IS_NEW: Condition = { name: 'is new', holds: absent('pk') };

/** What an update does to an item. */
export interface Change {
  readonly set?: Readonly<Record<string, NativeAttributeValue>>;
  /** Set only where the attribute does not exist yet. */
  readonly setOnce?: Readonly<Record<string, NativeAttributeValue>>;
  readonly remove?: readonly string[];
  /** Removes the first element of a list. */
  readonly removeFirst?: string;
  /** Appends to a list, which is made where it is missing. */
  readonly append?: Readonly<Record<string, readonly NativeAttributeValue[]>>;
  /** Adds to a number (missing = 0) or to a string set. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<string>>>;
  /**
   * Puts a value into the first of these attributes; each of the others takes what the one before
   * it held.
   */
  readonly push?: { readonly names: readonly string[]; readonly value: NativeAttributeValue };
}

export interface Expression {
  readonly expression: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, NativeAttributeValue>;
}

/** Builds the update and condition expressions of one write over one set of placeholders. */
export const buildExpressions = (
  condition: Condition | undefined,
  change?: Change,
): {
  condition?: string;
  update?: string;
  names: Record<string, string>;
  values: Record<string, NativeAttributeValue>;
} => {
  const names: Record<string, string> = {};
  const values: Record<string, NativeAttributeValue> = {};
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
  return {
    ...defined({ condition: holds, update }),
    names,
    values,
  };
};

const pushes = ({ push }: Change, p: Placeholders): readonly string[] => {
  if (push === undefined) return [];
  const value = p.value(push.value);
  return push.names.map((name, at) => {
    const before = push.names[at - 1];
    return `${p.name(name)} = ${before === undefined ? value : `if_not_exists(${p.name(before)}, ${value})`}`;
  });
};

const updateExpression = (change: Change, p: Placeholders): string => {
  const sets = [
    ...Object.entries(change.set ?? {}).map(([name, value]) => `${p.name(name)} = ${p.value(value)}`),
    ...Object.entries(change.setOnce ?? {}).map(
      ([name, value]) => `${p.name(name)} = if_not_exists(${p.name(name)}, ${p.value(value)})`,
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
