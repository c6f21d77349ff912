/**
 * All items of a table in memory, readable as the table is: what a thief, a forger or an accident
 * did to single items is tried on such copies, because the real table would have to be filled anew
 * for each.
 */
import type { IndexQuery, Item, Page, Query, Table } from '../../../lib/core/store/table.ts';
import type { TestDynamo } from '../../support/dynamo.ts';
import { scanTable } from '../../support/scan.ts';

export interface TableCopy {
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex'>;
  readonly get: (pk: string, sk: string) => Item;
  readonly put: (item: Item) => void;
  readonly remove: (pk: string, sk: string) => void;
  /** Items whose keys start so, in order. */
  readonly find: (pk: string, sk: string) => readonly Item[];
  /** Partitions changed since the copy was made. */
  readonly touched: ReadonlySet<string>;
  readonly copy: () => TableCopy;
}

const nameOf = (pk: unknown, sk: unknown): string => `${String(pk)}\n${String(sk)}`;
const inOrder = (a: Item, b: Item): number => (String(a.sk) < String(b.sk) ? -1 : 1);

const buildCopy = (items: ReadonlyMap<string, Item>): TableCopy => {
  const all = new Map(items);
  const partitions = new Map<string, Map<string, Item>>();
  const touched = new Set<string>();
  const add = (item: Item): void => {
    const pk = String(item.pk);
    const partition = partitions.get(pk) ?? new Map<string, Item>();
    partitions.set(pk, partition);
    partition.set(String(item.sk), item);
  };
  for (const item of all.values()) add(item);

  const query = async ({ pk, skPrefix, skBetween, limit, isDescending }: Query): Promise<Page> => {
    const own = [...(partitions.get(pk)?.values() ?? [])]
      .filter(({ sk }) => skPrefix === undefined || String(sk).startsWith(skPrefix))
      .filter(({ sk }) => skBetween === undefined || (String(sk) >= skBetween[0] && String(sk) <= skBetween[1]))
      .sort(inOrder);
    return { items: (isDescending === true ? own.reverse() : own).slice(0, limit) };
  };

  const queryIndex = async ({ index, partition, limit, cursor }: IndexQuery): Promise<Page> => {
    const own = [...all.values()]
      .filter((item) => item[`${index}Space`] === partition)
      .sort((a, b) => Number(a[`${index}At`]) - Number(b[`${index}At`]) || (String(a.pk) < String(b.pk) ? -1 : 1));
    const end = Number(cursor ?? 0) + limit;
    return { items: own.slice(Number(cursor ?? 0), end), ...(end < own.length ? { cursor: String(end) } : {}) };
  };

  return {
    table: { query, queryIndex, load: async (keys) => keys.map(({ pk, sk }) => all.get(nameOf(pk, sk))) },
    get: (pk, sk) => {
      const item = all.get(nameOf(pk, sk));
      if (item === undefined) throw new Error(`there is no ${pk} ${sk}`);
      return item;
    },
    touched,
    put: (item) => {
      touched.add(String(item.pk));
      all.set(nameOf(item.pk, item.sk), item);
      add(item);
    },
    remove: (pk, sk) => {
      touched.add(pk);
      all.delete(nameOf(pk, sk));
      partitions.get(pk)?.delete(sk);
    },
    find: (pk, sk) =>
      [...all.values()]
        .filter((item) => String(item.pk).startsWith(pk) && String(item.sk).startsWith(sk))
        .sort(inOrder),
    copy: () => buildCopy(all),
  };
};

export const copyTable = async (dynamo: TestDynamo): Promise<TableCopy> =>
  buildCopy(new Map((await scanTable(dynamo)).map((item) => [nameOf(item.pk, item.sk), item])));
