/**
 * When words were last erased in a space. For some minutes after it, Reason reads earlier turns
 * consistently, so that no prompt holds erased words.
 */
import { MINUTE_MS } from '../base/limits.ts';
import { settingKey } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

/** A forgetting erases for a minute or two; DynamoDB's other reads are behind by about a second. */
const ERASING_MS_MAX = 10 * MINUTE_MS;

/** Among settings it lies between the kill switch and the policy, with which it is read. */
export const LAST_ERASURE = 'last-erasure';

/** Written before anything is erased. @param at epoch milliseconds */
export const noteErasure = (table: Pick<Table, 'put'>, space: string, at: number): Promise<void> =>
  table.put(settingKey(space, LAST_ERASURE), { schemaVersion: 1, at });

/** Whether a read that may be behind could still hold erased words. If in doubt, it could. */
export const isErasing = (item: Item | undefined, now: number): boolean =>
  item !== undefined && !(now - Number(item.at) >= ERASING_MS_MAX);
