/** Predicates and changes give expressions over placeholders, never names or values themselves. */
import { describe, expect, it } from 'vitest';
import {
  above,
  absent,
  allOf,
  anyOf,
  atLeast,
  atMost,
  below,
  buildExpressions,
  contains,
  differs,
  equals,
  type ItemChange,
  isEmptyList,
  not,
  oneOf,
  type Predicate,
  present,
  shorterThan,
  startsWithElement,
} from '../../../lib/core/store/condition.ts';

const PREDICATES: readonly (readonly [Predicate, string, ...unknown[]])[] = [
  [equals('state', 'done'), '#state = :v0', 'done'],
  [differs('turn', 'a'), '#turn <> :v0', 'a'],
  [below('tries', 3), '#tries < :v0', 3],
  [atMost('usd', 5), '#usd <= :v0', 5],
  [above('at', 7), '#at > :v0', 7],
  [atLeast('at', 7), '#at >= :v0', 7],
  [absent('pk'), 'attribute_not_exists(#pk)'],
  [present('pk'), 'attribute_exists(#pk)'],
  [oneOf('state', ['a', 'b']), '#state IN (:v0, :v1)', 'a', 'b'],
  [contains('mailbox', 'x'), 'contains(#mailbox, :v0)', 'x'],
  [shorterThan('mailbox', 50), 'size(#mailbox) < :v0', 50],
  [isEmptyList('mailbox'), 'size(#mailbox) = :v0', 0],
  [startsWithElement('mailbox', 'x'), '#mailbox[0] = :v0', 'x'],
  [not(equals('a', 1)), 'NOT (#a = :v0)', 1],
  [allOf(equals('a', 1)), '#a = :v0', 1],
  [allOf(equals('a', 1), absent('b')), '(#a = :v0) AND (attribute_not_exists(#b))', 1],
  [anyOf(absent('a'), equals('a', 1)), '(attribute_not_exists(#a)) OR (#a = :v0)', 1],
  [
    allOf(anyOf(absent('a'), absent('b')), present('c')),
    '((attribute_not_exists(#a)) OR (attribute_not_exists(#b))) AND (attribute_exists(#c))',
  ],
];

const CHANGES: readonly (readonly [ItemChange, string, ...unknown[]])[] = [
  [{ set: { a: 1, b: 'x' } }, 'SET #a = :v0, #b = :v1', 1, 'x'],
  [{ setOnce: { a: 1 } }, 'SET #a = if_not_exists(#a, :v0)', 1],
  [{ append: { list: ['x'] } }, 'SET #list = list_append(if_not_exists(#list, :v0), :v1)', [], ['x']],
  [{ push: { names: ['w0', 'w1'], value: 't' } }, 'SET #w0 = :v0, #w1 = if_not_exists(#w0, :v0)', 't'],
  [{ remove: ['a', 'b'] }, 'REMOVE #a, #b'],
  [{ removeFirst: 'mailbox' }, 'REMOVE #mailbox[0]'],
  [{ add: { n: 2, ids: new Set(['x']) } }, 'ADD #n :v0, #ids :v1', 2, new Set(['x'])],
  [{ set: { a: 1 }, remove: ['b'], add: { c: 1 } }, 'SET #a = :v0 REMOVE #b ADD #c :v1', 1, 1],
];

describe('buildExpressions', () => {
  it.each(PREDICATES.map(([holds, expression, ...values]) => ({ holds, expression, values })))(
    'says $expression',
    ({ holds, expression, values }) => {
      const built = buildExpressions({ name: 'named', holds });
      expect(built.condition).toBe(expression);
      expect(Object.values(built.values)).toStrictEqual(values);
      expect(Object.entries(built.names)).toStrictEqual(Object.values(built.names).map((name) => [`#${name}`, name]));
      expect(built).not.toHaveProperty('update');
    },
  );

  it.each(CHANGES.map(([change, expression, ...values]) => ({ change, expression, values })))(
    'says $expression',
    ({ change, expression, values }) => {
      const built = buildExpressions(undefined, change);
      expect(built.update).toBe(expression);
      expect(Object.values(built.values)).toStrictEqual(values);
      expect(built).not.toHaveProperty('condition');
    },
  );

  it('gives change and condition one set of placeholders', () => {
    const built = buildExpressions({ name: 'is first', holds: equals('round', 0) }, { set: { round: 1 } });
    expect(built).toStrictEqual({
      condition: '#round = :v1',
      update: 'SET #round = :v0',
      names: { '#round': 'round' },
      values: { ':v0': 1, ':v1': 0 },
    });
  });
});
