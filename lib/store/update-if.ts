/**
 * Updates an item if the condition holds, and changes nothing if it does not. @returns whether it
 * was updated
 */
import { ConditionError } from '../base/errors.ts';
import type { Change, Condition } from './condition.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

export const updateIf = async (
  table: Pick<Table, 'update'>,
  key: Key,
  change: Change,
  condition: Condition,
): Promise<boolean> => {
  try {
    await table.update(key, change, condition);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};
