/** When the newest backup was made: one record that `npx passepartout backup` writes. */

import * as z from 'zod/mini';
import { DAY_MS } from '../../core/base/limits.ts';
import { finding } from '../../core/language/finding.ts';
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { type Key, settingKey } from '../../core/store/keys.ts';
import type { Table } from '../../core/store/table.ts';

/** A month: whoever makes backups by hand makes one more often. */
const BACKUP_OLD_MS = 30 * DAY_MS;

const LastBackup = z.object({ schemaVersion: z.literal(1), at: z.int() });

const lastBackupKey = (space: string): Key => settingKey(space, 'backup');

/** @param at the moment the backup is of, epoch milliseconds */
export const noteBackup = (table: Pick<Table, 'put'>, space: string, at: number): Promise<void> =>
  table.put(lastBackupKey(space), { schemaVersion: 1, at });

export const BACKUP_VIEWS = {
  noted: {
    key: lastBackupKey,
    /** A stack without any backup may have the recovery of its table, so nothing is said of it. */
    find: (item, now) => {
      const { at } = LastBackup.safeParse(item).data ?? {};
      return at === undefined || now - at < BACKUP_OLD_MS ? [] : [finding('backup', Math.floor((now - at) / DAY_MS))];
    },
  },
} as const satisfies FeatureViews;
