/** Opens the table of a data folder for a backup. A running stack is asked for a copy over HTTP. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { get, post, type StackAccess } from '../../cli/client.ts';
import { CliError, EXIT } from '../../cli/terminal.ts';
import { waitForLog } from '../../cli/wait-for-log.ts';
import { FolderInUseError, lockFolder } from '../../local/data-folder.ts';
import { DATA_FILE } from '../../local/database.ts';
import { closeStorage, openStorage, openTableFile, type Storage } from '../../local/table-server/storage.ts';
import { COPY_PATH, CopyState } from './copy-state.ts';
import { removeCopy } from './copy-table.ts';

/** A copy that has not moved for so long is given up. */
const COPY_STILL_MS_MAX = 2 * MINUTE_MS;
const COPY_POLL_MS = 200;

const STILL_UNDER_WAY =
  'Messages are still under way: a restore ends them, or counts their words as text from outside. A backup made later has them whole.';

export interface OpenedTable {
  readonly storage: Storage;
  readonly file: string;
  /** A running stack made it, and works on another one. */
  readonly isCopy: boolean;
  /** The moment it is of, epoch milliseconds. */
  readonly at: number;
  readonly close: () => void;
}

export interface ReadFolderInput {
  readonly folder: string;
  readonly access: () => Promise<StackAccess>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onProgress: (what: string) => void;
  /** Tells of messages that a restore will not prove, because they were still under way. */
  readonly remark: (what: string) => void;
}

const openStopped = ({ folder, now }: ReadFolderInput, release: () => void): OpenedTable => {
  const file = join(folder, DATA_FILE);
  try {
    if (!existsSync(file))
      throw new CliError(EXIT.failed, `there is no table in ${folder}`, 'set DATA_DIR to the folder of your data');
    const storage = openTableFile(file);
    return {
      storage,
      file,
      isCopy: false,
      at: now(),
      close: () => {
        closeStorage(storage);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
};

/** Waits until the stack has made its copy. @throws CliError */
const waitForCopy = async (input: ReadFolderInput, access: StackAccess) => {
  let [copy, seen, movedAt] = [await post(access, CopyState, COPY_PATH), -1, input.now()];
  while (copy.state === 'copying') {
    if (copy.done !== seen) [seen, movedAt] = [copy.done, input.now()];
    if (input.now() - movedAt > COPY_STILL_MS_MAX)
      throw new CliError(EXIT.failed, 'the stack does not get on with its copy', 'look at its log, or stop it first');
    input.onProgress(`the stack copies its table: ${copy.done} of ${copy.pages} pages`);
    await input.sleep(COPY_POLL_MS);
    copy = await get(access, CopyState, COPY_PATH);
  }
  if (copy.state === 'done') return copy;
  throw new CliError(EXIT.failed, copy.state === 'failed' ? copy.problem : 'the stack made no copy');
};

const openCopy = async (input: ReadFolderInput): Promise<OpenedTable> => {
  const access = await input.access();
  input.onProgress('the evidence log takes what has just happened');
  const { isWhole, problem } = await waitForLog(input, access);
  // A problem of the log is told when the copy gets its leaves.
  if (!isWhole && problem === undefined) input.remark(STILL_UNDER_WAY);
  const { file, at } = await waitForCopy(input, access);
  const storage = openStorage(file);
  return {
    storage,
    file,
    isCopy: true,
    at,
    close: () => {
      closeStorage(storage);
      removeCopy(input.folder);
    },
  };
};

/** @throws CliError, TableFileError */
export const openFolderTable = async (input: ReadFolderInput): Promise<OpenedTable> => {
  let release: () => void;
  try {
    release = lockFolder(input.folder);
  } catch (error) {
    if (error instanceof FolderInUseError) return openCopy(input);
    throw error;
  }
  return openStopped(input, release);
};
