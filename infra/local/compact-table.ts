/**
 * Forgotten bytes leave the table's file too: SQLite may keep copies of rows it moved until the
 * file is rewritten. A start or stop rewrites it if more is forgotten than at the last such stop,
 * which the file itself records. A failure is only a line in the log.
 */
import { coversKey } from '../../lib/core/memory/keys.ts';
import { FORGOTTEN_PREFIX, logKeys } from '../../lib/core/store/keys.ts';
import { compactStorage, measureRows, type Storage } from './table-server/storage.ts';

export interface CompactInput {
  readonly tableName: string;
  readonly space: string;
  readonly at: 'start' | 'stop';
  readonly log: (line: string) => void;
}

/** @returns whether the file was rewritten. Never throws. */
export const compactTable = (storage: Storage, { tableName, space, at, log }: CompactInput): boolean => {
  try {
    const covers = coversKey(space, '');
    // Forgetting leaves behind which evidence lost its content, and tombstones in the log. They
    // only grow. The number that the file records has 32 bits.
    const forgotten =
      (measureRows(storage, tableName, covers.pk, covers.sk) +
        measureRows(storage, tableName, logKeys.partition(space), FORGOTTEN_PREFIX)) |
      0;
    const { user_version: atLastStop } = storage.database.prepare('PRAGMA user_version').get() ?? {};
    if (forgotten === atLastStop) return false;
    compactStorage(storage);
    if (at === 'stop') storage.database.exec(`PRAGMA user_version = ${forgotten}`);
    return true;
  } catch (error) {
    log(`erased bytes may still be in the table's file: it could not be compacted: ${String(error).slice(0, 300)}`);
    return false;
  }
};
