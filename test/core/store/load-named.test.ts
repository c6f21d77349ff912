/** Items come back under the names they were asked for, from one consistent request. */
import { describe, expect, it } from 'vitest';
import { ConditionError, UnavailableError } from '../../../lib/core/base/errors.ts';
import type { Key } from '../../../lib/core/store/keys.ts';
import { loadItem, loadNamed } from '../../../lib/core/store/load-named.ts';
import { putOnce } from '../../../lib/core/store/put-once.ts';
import type { Item, Table } from '../../../lib/core/store/table.ts';

const key = (sk: string): Key => ({ pk: 'p', sk });
const item = (sk: string): Item => ({ pk: 'p', sk, of: sk });

/** A table that holds the items with these sort keys, and writes down what is asked of it. */
const holding = (...sks: readonly string[]) => {
  const requests: unknown[] = [];
  const table: Pick<Table, 'load'> = {
    load: async (keys, options) => {
      requests.push([keys.map(({ sk }) => sk), options]);
      return keys.map(({ sk }) => (sks.includes(sk) ? item(sk) : undefined));
    },
  };
  return { table, requests };
};

describe('loadNamed', () => {
  it('gives each item, list and gap under its own name', async () => {
    const { table, requests } = holding('a', 'l1', 'l3', 'z');
    const found = await loadNamed(table, {
      first: key('a'),
      missing: key('b'),
      list: [key('l1'), key('l2'), key('l3')],
      none: [],
      unasked: undefined,
      last: key('z'),
    });
    expect(found).toStrictEqual({
      first: item('a'),
      missing: undefined,
      list: [item('l1'), undefined, item('l3')],
      none: [],
      unasked: undefined,
      last: item('z'),
    });
    expect(requests).toStrictEqual([[['a', 'b', 'l1', 'l2', 'l3', 'z'], { isConsistent: true }]]);
  });
});

describe('loadItem', () => {
  it('reads one item consistently', async () => {
    const { table, requests } = holding('a');
    expect(await loadItem(table, key('a'))).toStrictEqual(item('a'));
    expect(await loadItem(table, key('b'))).toBeUndefined();
    expect(requests).toStrictEqual([
      [['a'], { isConsistent: true }],
      [['b'], { isConsistent: true }],
    ]);
  });
});

describe('putOnce', () => {
  const failing = (error: Error) => ({ put: () => Promise.reject(error) });

  it('says that it put the item, or gives the one that was there first', async () => {
    expect(await putOnce({ put: async () => undefined }, key('a'), item('a'))).toBe('put');
    const lost = failing(new ConditionError('is new', item('other')));
    expect(await putOnce(lost, key('a'), item('a'))).toStrictEqual(item('other'));
  });

  it('passes on every other failure', async () => {
    const down = new UnavailableError('The table did not answer.');
    await expect(putOnce(failing(down), key('a'), item('a'))).rejects.toBe(down);
  });
});
