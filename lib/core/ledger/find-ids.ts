/** Finds signals among the newest by their ids alone. Reads only. */
import { indexPartitions } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** Signals looked through: those of a busy day. */
const PAGE_SIGNALS = 500;
const PAGES_MAX = 4;
/** Ids given: of more only the newest. */
const IDS_MAX = 100;

/** The newest signals whose id fits. @returns the newest first */
export const findIds = async (
  { table, space }: { readonly table: Pick<Table, 'queryIndex'>; readonly space: string },
  fits: (id: string) => boolean,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && ids.length < IDS_MAX; page += 1) {
    const partition = indexPartitions.feed(space);
    const found = await table.queryIndex({
      index: 'feed',
      partition,
      isDescending: true,
      limit: PAGE_SIGNALS,
      cursor,
    });
    // Keys are `signal#<space>#<id>`.
    const all = found.items.map(({ pk }) => String(pk).split('#').slice(2).join('#'));
    ids.push(...all.filter(fits));
    cursor = found.cursor;
    if (cursor === undefined) break;
  }
  return ids.slice(0, IDS_MAX);
};
