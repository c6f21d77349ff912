/** When the newest backup was made: one record that `npx passepartout backup` writes. */

import * as z from 'zod/mini';
import { DAY_MS } from '../base/limits.ts';
import { type Finding, finding } from '../language/finding.ts';
import { type Key, settingKey } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

/** A month: whoever makes backups by hand makes one more often. */
const BACKUP_OLD_MS = 30 * DAY_MS;

const LastBackup = z.object({ schemaVersion: z.literal(1), at: z.int() });

export const lastBackupKey = (space: string): Key => settingKey(space, 'backup');

/** @param at the moment the backup is of, epoch milliseconds */
export const noteBackup = (table: Pick<Table, 'put'>, space: string, at: number): Promise<void> =>
  table.put(lastBackupKey(space), { schemaVersion: 1, at });

/** Epoch milliseconds; undefined if none was made. */
const backupTime = (item: Item | undefined): number | undefined => LastBackup.safeParse(item).data?.at;

/** A stack without any backup may have the recovery of its table, so nothing is said of it. */
export const findOldBackup = (item: Item | undefined, now: number): readonly Finding[] => {
  const at = backupTime(item);
  if (at === undefined || now - at < BACKUP_OLD_MS) return [];
  return [finding('backup', Math.floor((now - at) / DAY_MS))];
};
