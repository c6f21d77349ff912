/** Conditional writes whose condition may fail: then nothing is written, and the caller goes on. */
import { ConditionError } from '../base/errors.ts';
import type { Condition, ItemChange } from './condition.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** @returns whether the write was done; false if a condition of it did not hold */
export const wasWritten = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};

/** Updates an item if the condition holds. @returns whether it was updated */
export const updateIf = (
  table: Pick<Table, 'update'>,
  key: Key,
  change: ItemChange,
  condition: Condition,
): Promise<boolean> => wasWritten(table.update(key, change, condition));
