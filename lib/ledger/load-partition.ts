/**
 * All items of one signal: its record, attempts, decision, effects and what is kept beside them. Read consistently, page by page; a
 * bound ends what no signal of this system can fill.
 */

import { signalKeys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

/** Pages read of one signal's partition: attempts, decision and effects of the largest kind fit. */
const SIGNAL_PAGES_MAX = 16;

/** @param pagesMax pages of the store; without a bound for whoever must not miss one. */
export const loadPartition = async (
  table: Pick<Table, 'query'>,
  space: string,
  id: string,
  pagesMax: number = SIGNAL_PAGES_MAX,
): Promise<readonly Item[]> => {
  const pk = signalKeys.partition(space, id);
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await table.query({ pk, isConsistent: true, cursor });
    items.push(...answer.items);
    cursor = answer.cursor;
    if (cursor === undefined) break;
  }
  return items;
};
