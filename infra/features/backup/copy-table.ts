/**
 * A copy of a running stack's table, as of one moment. SQLite takes changes over that come
 * meanwhile. It goes with the next copy, start or stop at the latest.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup } from 'node:sqlite';
import { noteBackup } from '../../../lib/features/backup/last-backup.ts';
import type { BesideTable } from '../../local/beside.ts';
import { withTable } from '../../local/database.ts';
import { describeStorageError, makeEmptyFile } from '../../local/table-server/storage.ts';
import { COPY_PATH, type CopyState, WRITTEN_PATH } from './copy-state.ts';

const COPY_FILE = 'copy.sqlite';
/** Pages (4 KB) between two requests of the stack: some milliseconds. */
const COPY_PAGES_AT_ONCE = 1_000;

export const removeCopy = (folder: string): void => {
  for (const end of ['', '-wal', '-journal']) rmSync(join(folder, `${COPY_FILE}${end}`), { force: true });
};

/** @param storage stays open while a copy is made */
export const copyBeside: BesideTable = (storage, folder) => {
  const file = join(folder, COPY_FILE);
  let state: CopyState = { state: 'none' };
  const copy = async (): Promise<void> => {
    try {
      removeCopy(folder);
      makeEmptyFile(file);
      await backup(storage.database, file, {
        rate: COPY_PAGES_AT_ONCE,
        progress: ({ totalPages, remainingPages }) => {
          state = { state: 'copying', done: totalPages - remainingPages, pages: totalPages };
        },
      });
      state = { state: 'done', file, at: Date.now() };
    } catch (error) {
      removeCopy(folder);
      state = { state: 'failed', problem: describeStorageError(file, error)?.sentence ?? String(error) };
    }
  };
  const begin = (): CopyState => {
    if (state.state === 'copying') return state;
    state = { state: 'copying', done: 0, pages: 0 };
    void copy();
    return state;
  };
  removeCopy(folder);
  return {
    routes: [
      { prefix: COPY_PATH, answer: (method) => (method === 'POST' ? begin() : state) },
      {
        prefix: WRITTEN_PATH,
        answer: async (method, place) => {
          const made = state;
          if (method === 'POST' && made.state === 'done')
            await withTable(place, (table) => noteBackup(table, place.space, made.at));
          return {};
        },
      },
    ],
    end: () => removeCopy(folder),
  };
};
