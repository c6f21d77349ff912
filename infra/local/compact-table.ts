/**
 * Forgotten bytes leave the table's file too: SQLite may keep copies of rows it moved until the
 * file is rewritten. A start or stop rewrites it if more is forgotten than at the last time, which
 * a file beside the table records. A failure is only a line in the log.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { coversKey } from '../../lib/memory/keys.ts';
import { FORGOTTEN_PREFIX, logKeys } from '../../lib/store/keys.ts';
import { replaceFile } from './data-folder.ts';
import { compactStorage, measureRows, type Storage } from './table-server/storage.ts';

export interface CompactInput {
  readonly folder: string;
  readonly tableName: string;
  readonly space: string;
  readonly at: 'start' | 'stop';
  readonly log: (line: string) => void;
}

const Compacted = z.object({ schemaVersion: z.literal(1), forgotten: z.string(), isFinal: z.boolean() });
type Compacted = z.infer<typeof Compacted>;

const STATE_FILE = 'compacted.json';
const NEVER: Compacted = { schemaVersion: 1, forgotten: '0 0, 0 0', isFinal: true };

const loadCompacted = (folder: string): Compacted => {
  const path = join(folder, STATE_FILE);
  return existsSync(path) ? Compacted.parse(JSON.parse(readFileSync(path, 'utf8'))) : NEVER;
};

const saveCompacted = (folder: string, state: Compacted): void =>
  replaceFile(join(folder, STATE_FILE), JSON.stringify(state));

/**
 * Forgetting leaves behind which evidence lost its content, and tombstones in the log. Their number
 * and size only ever grow.
 */
const countForgotten = (storage: Storage, tableName: string, space: string): string => {
  const covers = coversKey(space, '');
  const ranges = [
    [covers.pk, covers.sk],
    [logKeys.partition(space), FORGOTTEN_PREFIX],
  ] as const;
  return ranges
    .map(([pk, prefix]) => measureRows(storage, tableName, pk, prefix))
    .map(({ items, bytes }) => `${items} ${bytes}`)
    .join(', ');
};

/** @returns whether the file was rewritten. Never throws. */
export const compactTable = (storage: Storage, input: CompactInput): boolean => {
  const { folder, tableName, space, at, log } = input;
  try {
    const before = loadCompacted(folder);
    const forgotten = countForgotten(storage, tableName, space);
    if (forgotten === before.forgotten && (at === 'start' || before.isFinal)) return false;
    compactStorage(storage);
    saveCompacted(folder, { schemaVersion: 1, forgotten, isFinal: at === 'stop' });
    return true;
  } catch (error) {
    log(`erased bytes may still be in the table's file: it could not be compacted: ${String(error).slice(0, 300)}`);
    return false;
  }
};
