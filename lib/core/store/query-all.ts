/** Reads every page of a query, consistently. */
import type { Item, Query, Table } from './table.ts';

/** @param isEnough asked after each page. @returns `isPartial` if there was more to read */
export const queryAll = async (
  table: Pick<Table, 'query'>,
  query: Omit<Query, 'cursor' | 'isConsistent'>,
  isEnough: (items: readonly Item[], pages: number) => boolean = () => false,
): Promise<{ readonly items: readonly Item[]; readonly isPartial: boolean }> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await table.query({ ...query, isConsistent: true, cursor });
    items.push(...page.items);
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== undefined && !isEnough(items, pages));
  return { items, isPartial: cursor !== undefined };
};
