/**
 * When words were last erased in a space. For some minutes after it, Reason reads earlier turns
 * consistently, so that no prompt holds erased words.
 */
import * as z from 'zod/mini';
import { MINUTE_MS } from '../base/limits.ts';
import { type Key, settingKey } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

/** A forgetting erases for a minute or two; DynamoDB's other reads are behind by about a second. */
const ERASING_MS_MAX = 10 * MINUTE_MS;

const LastErasure = z.object({ schemaVersion: z.literal(1), at: z.int() });

/** Between the kill switch and the policy, with which it is read (`load-settings.ts`). */
export const lastErasureKey = (space: string): Key => settingKey(space, 'last-erasure');

/** Written before anything is erased. @param at epoch milliseconds */
export const noteErasure = (table: Pick<Table, 'put'>, space: string, at: number): Promise<void> =>
  table.put(lastErasureKey(space), { schemaVersion: 1, at });

/**
 * Whether a read that may be behind could still hold erased words. True if the record cannot be
 * read.
 */
export const isErasing = (item: Item | undefined, now: number): boolean =>
  item !== undefined && now - (LastErasure.safeParse(item).data?.at ?? now) < ERASING_MS_MAX;
