/**
 * Stores an item if nothing lies under its key yet. Two writers may race: the first one's item
 * stays, and the other is given that item. A repeat of the same call therefore changes nothing.
 */
import { ConditionError } from '../base/errors.ts';
import { IS_NEW } from './condition.ts';
import type { Key } from './keys.ts';
import { type Item, isItem, type Table } from './table.ts';

/** @returns `put`, or the item that was there already */
export const putOnce = async (table: Pick<Table, 'put'>, key: Key, item: Item): Promise<'put' | Item> => {
  try {
    await table.put(key, item, IS_NEW);
    return 'put';
  } catch (error) {
    if (error instanceof ConditionError && isItem(error.current)) return error.current;
    throw error;
  }
};
