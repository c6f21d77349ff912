/**
 * Reads several items in one consistent request and gives them back under the names they were asked
 * for. A name may ask for one key, for a list of keys (its items come in the same order), or for
 * nothing (`undefined`). An item that does not exist is `undefined`.
 */
import type { Key } from './keys.ts';
import { queryAll } from './query-all.ts';
import type { IndexQuery, Item, Page, Table } from './table.ts';

type WantedKeys = Key | readonly Key[] | undefined;
type LoadedItems<W> = W extends readonly Key[] ? readonly (Item | undefined)[] : Item | undefined;

const isList = (wanted: WantedKeys): wanted is readonly Key[] => Array.isArray(wanted);

const keysOf = (wanted: WantedKeys): readonly Key[] => {
  if (wanted === undefined) return [];
  return isList(wanted) ? wanted : [wanted];
};

export function loadNamed<const Names extends Readonly<Record<string, WantedKeys>>>(
  table: Pick<Table, 'load'>,
  names: Names,
): Promise<{ readonly [Name in keyof Names]: LoadedItems<Names[Name]> }>;
export async function loadNamed(
  table: Pick<Table, 'load'>,
  names: Readonly<Record<string, WantedKeys>>,
): Promise<object> {
  const entries = Object.entries(names).map(([name, wanted]) => ({ name, wanted, keys: keysOf(wanted) }));
  const items = await table.load(
    entries.flatMap(({ keys }) => keys),
    { isConsistent: true },
  );
  let next = 0;
  const found = entries.map(({ name, wanted, keys }) => {
    const own = items.slice(next, next + keys.length);
    next += keys.length;
    return [name, isList(wanted) ? own : own[0]] as const;
  });
  return Object.fromEntries(found);
}

/** Reads one item consistently. */
export const loadItem = async (table: Pick<Table, 'load'>, key: Key): Promise<Item | undefined> =>
  (await table.load([key], { isConsistent: true }))[0];

/**
 * Rows of one partition between two sort keys, both included, by sort key. A consistent read, which
 * is charged by the bytes of all rows together: rows that do not exist cost nothing.
 */
export const loadRows = async (
  table: Pick<Table, 'query'>,
  pk: string,
  skBetween: readonly [string, string],
): Promise<ReadonlyMap<string, Item>> => {
  const { items } = await queryAll(table, { pk, skBetween });
  return new Map(items.map((item) => [String(item.sk), item]));
};

/**
 * The same table, read at half the price: an answer may be some moments old. Only for what a later
 * consistent read or condition guards.
 */
export const maybeStale = ({ load }: Pick<Table, 'load'>): Pick<Table, 'load'> => ({ load: (keys) => load(keys) });

/** The items behind entries of an index, in their order; one that is gone is left out. */
export const loadEntries = async (table: Pick<Table, 'load'>, entries: readonly Item[]): Promise<readonly Item[]> => {
  const keys = entries.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  return keys.length === 0 ? [] : (await table.load(keys, { isConsistent: true })).flatMap((item) => item ?? []);
};

/** A page of an index, which holds keys only, with the items behind it. */
export const loadIndexed = async (table: Pick<Table, 'load' | 'queryIndex'>, query: IndexQuery): Promise<Page> => {
  const page = await table.queryIndex(query);
  return { ...page, items: await loadEntries(table, page.items) };
};
