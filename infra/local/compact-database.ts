/**
 * Forgotten bytes leave the database's file too: what SQLite has freed or written over stays in the file until it is rewritten.
 * Done while no server has the file open, at a start or a stop after which more is forgotten than at the last time; a file beside
 * it says how much that was. After a start it is done once more at the stop: a forgetting may have been half done by a crash.
 * Anything that goes wrong is a line in the log and nothing else. Kept apart because nobody else may read the server's own file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { FORGOTTEN_PREFIX, logKeys } from '../../lib/evidence-log/keys.ts';
import { coversKey } from '../../lib/memory/keys.ts';
import { replaceFile } from './data-folder.ts';
import { DATA_FILE, findDatabases } from './database.ts';

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

/** Items whose sort key begins so: how many, and how large. Keys stand in the file as the server types them. */
const countOf = `SELECT count(*) AS items, coalesce(sum(item_size), 0) AS bytes FROM "TABLE" WHERE pk = ? AND sk >= ? AND sk < ?`;

/** What forgetting leaves behind: which evidence lost its content, and tombstones in the log. It only ever grows. */
const rangesOf = (space: string): readonly (readonly [string, string])[] => [
  [coversKey(space, '').pk, coversKey(space, '').sk],
  [logKeys.partition(space), FORGOTTEN_PREFIX],
];

/** @returns whether the file was rewritten. Never rejects. */
export const compactDatabase = async (input: CompactInput): Promise<boolean> => {
  const { folder, tableName, space, at, log } = input;
  const file = join(folder, DATA_FILE);
  if (!existsSync(file)) return false;
  try {
    if (findDatabases(folder).length > 0) throw new Error('a server has it open');
    const before = loadCompacted(folder);
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(file);
    try {
      const hasTable = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(tableName) !== undefined;
      if (!hasTable) return false;
      const count = database.prepare(countOf.replace('TABLE', tableName));
      const counted = rangesOf(space).map(([pk, sk]) => count.get(`S:${pk}`, `S:${sk}`, `S:${sk}\u{10ffff}`));
      const forgotten = counted.map((row) => `${row?.items} ${row?.bytes}`).join(', ');
      if (forgotten === before.forgotten && (at === 'start' || before.isFinal)) return false;
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
      const after: Compacted = { schemaVersion: 1, forgotten, isFinal: at === 'stop' };
      replaceFile(join(folder, STATE_FILE), JSON.stringify(after));
      return true;
    } finally {
      database.close();
    }
  } catch (error) {
    log(`erased bytes may still be in ${DATA_FILE}: it could not be compacted: ${String(error).slice(0, 300)}`);
    return false;
  }
};
