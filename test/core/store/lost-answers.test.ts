/**
 * Writes whose answers are lost on their way back, so that the AWS client sends them again: they
 * give what they gave the first time, and change nothing twice. Over a real table behind a proxy
 * that loses answers.
 */
import type { Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConditionError } from '../../../lib/core/base/errors.ts';
import { embeddedDynamoClient } from '../../../lib/core/store/clients.ts';
import {
  absent,
  anyOf,
  below,
  type Condition,
  equals,
  IS_NEW,
  type ItemChange,
  present,
} from '../../../lib/core/store/condition.ts';
import { buildTable, type Item, type Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { type LosingProxy, losingWrite, startLosingProxy } from '../../support/losing-proxy.ts';

let dynamo: TestDynamo;
let proxy: LosingProxy;
let table: Table;
beforeAll(async () => {
  dynamo = await startDynamo();
  proxy = await startLosingProxy(dynamo.endpoint);
  table = newTable();
});
afterAll(async () => {
  await proxy?.stop();
  await dynamo?.stop();
});

/** Over a client of its own: one that has met many losses gives up sending again. */
const newTable = () =>
  buildTable(embeddedDynamoClient(proxy.endpoint, 'us-east-1', dynamo.credentials), dynamo.tableName);

let keys = 0;
const newKey = () => {
  keys += 1;
  return { pk: `item#${keys}`, sk: 'a' };
};
const load = async (key: { pk: string; sk: string }) => {
  const [item] = await dynamo.table.load([key], { isConsistent: true });
  return item;
};
const HAS_ROOM: Condition = { name: 'has room', holds: anyOf(absent('n'), below('n', 10)) };

describe('a write whose answer is lost', () => {
  it('succeeds: a put of something new', async () => {
    const key = newKey();
    proxy.lose(losingWrite(0));
    await table.put(key, { by: 'us' }, IS_NEW);
    expect(proxy.lost()).toStrictEqual(['PutItem']);
    expect(await load(key)).toStrictEqual({ ...key, by: 'us' });
  });

  it('is refused all the same where another was first', async () => {
    const key = newKey();
    await table.put(key, { by: 'another' }, IS_NEW);
    proxy.lose(losingWrite(0));
    const refused = table.put(key, { by: 'us' }, IS_NEW);
    await expect(refused).rejects.toStrictEqual(new ConditionError('is new', { ...key, by: 'another' }));
    expect(proxy.lost()).toStrictEqual(['PutItem']);
    expect(await load(key)).toStrictEqual({ ...key, by: 'another' });
  });

  it('gives the item as it then was: an update whose condition its own success ended', async () => {
    const key = newKey();
    await table.put(key, { state: 'open' }, IS_NEW);
    proxy.lose(losingWrite(0));
    const item = await table.update(
      key,
      { set: { state: 'done' } },
      { name: 'is open', holds: equals('state', 'open') },
    );
    expect(proxy.lost()).toStrictEqual(['UpdateItem']);
    expect(item).toStrictEqual({ ...key, state: 'done' });
  });

  it.each<[string, ItemChange, Condition | undefined]>([
    ['a counter', { add: { n: 1 } }, HAS_ROOM],
    ['a counter without a condition', { add: { n: 1 } }, undefined],
    ['a list that grows', { append: { list: ['a'] } }, HAS_ROOM],
    ['a list that loses its first', { removeFirst: 'left' }, { name: 'has a list', holds: present('left') }],
  ])('is carried out once: %s', async (_what, change, condition) => {
    const key = newKey();
    await table.put(key, { left: ['a', 'b', 'c'] }, IS_NEW);
    const twin = newKey();
    await table.put(twin, { left: ['a', 'b', 'c'] }, IS_NEW);
    const expected = await table.update(twin, change, condition);
    proxy.lose(losingWrite(0));
    expect(await table.update(key, change, condition)).toStrictEqual({ ...expected, ...key });
    expect(proxy.lost()).toStrictEqual(['UpdateItem']);
  });

  it('is carried out once, though two others write the item before it is sent again', async () => {
    const key = newKey();
    let isFirst = true;
    proxy.lose(async () => {
      if (!isFirst) return false;
      isFirst = false;
      for (const n of [10, 20]) await dynamo.table.update(key, { add: { n } });
      return true;
    });
    expect((await table.update(key, { add: { n: 1 } })).n).toBe(31);
    expect((await load(key))?.n).toBe(31);
  });

  it('is carried out once: a transaction', async () => {
    const [counter, made] = [newKey(), newKey()];
    proxy.lose(losingWrite(0));
    await table.transact([
      { kind: 'update', key: counter, change: { add: { n: 1 } } },
      { kind: 'put', key: made, item: { by: 'us' }, condition: IS_NEW },
    ]);
    expect(proxy.lost()).toStrictEqual(['TransactWriteItems']);
    expect((await load(counter))?.n).toBe(1);
  });
});

/** One write, of one of three items. */
const conditions: readonly (Condition | undefined)[] = [
  undefined,
  IS_NEW,
  HAS_ROOM,
  { name: 'exists', holds: present('pk') },
  { name: 'is open', holds: equals('state', 'open') },
];
const changes: readonly ItemChange[] = [
  { add: { n: 1 } },
  { set: { state: 'open' } },
  { set: { state: 'done' }, remove: ['n'] },
  { append: { list: ['a'] } },
  { setOnce: { state: 'open' }, add: { n: 3 } },
];
const step = fc.record({
  kind: fc.constantFrom('put', 'update', 'transact'),
  sk: fc.constantFrom('a', 'b', 'c'),
  condition: fc.constantFrom(...conditions),
  change: fc.constantFrom(...changes),
  item: fc.constantFrom({ state: 'open' }, { n: 9 }, { n: 1, list: ['b'] }),
  /**
   * Answers lost, one after the other, when it is sent and sent again: the client sends three
   * times.
   */
  losses: fc.nat({ max: 2 }),
});

const run = async (
  over: Table,
  pk: string,
  steps: readonly (typeof step extends Arbitrary<infer S> ? S : never)[],
): Promise<readonly unknown[]> => {
  const results: unknown[] = [];
  for (const { kind, sk, condition, change, item, losses } of steps) {
    proxy.lose((_action, n) => n < losses);
    const key = { pk, sk };
    try {
      if (kind === 'put') results.push(await over.put(key, item, condition));
      else if (kind === 'update') results.push(await over.update(key, change, condition));
      else {
        const made = condition === undefined ? {} : { condition };
        results.push(await over.transact([{ kind: 'update', key, change, ...made }]));
      }
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      results.push([error.condition, error.current]);
    }
  }
  return results.map((result) => JSON.parse(JSON.stringify(result ?? null).replaceAll(pk, 'pk')) as unknown);
};

const itemsOf = async (pk: string): Promise<readonly Item[]> => {
  const { items } = await dynamo.table.query({ pk, isConsistent: true });
  return items.map((item) => ({ ...item, pk: 'pk' }));
};

describe('any writes whose answers are lost at random', () => {
  it('give the same results and leave the same items as without losses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const [lossy, sure] = [newKey().pk, newKey().pk];
        expect(await run(newTable(), lossy, steps)).toStrictEqual(await run(dynamo.table, sure, steps));
        expect(await itemsOf(lossy)).toStrictEqual(await itemsOf(sure));
      }),
      { numRuns: 40 },
    );
  });
});
