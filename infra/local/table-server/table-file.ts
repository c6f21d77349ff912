/**
 * The file a table lives in: made whole or not at all, checked before it is used, and explained in
 * one sentence when it cannot be read or written. An error of SQLite becomes a sentence that names
 * the file, the cause and the way out.
 */
import { accessSync, closeSync, constants, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PassepartoutError } from '../../../lib/base/errors.ts';
import { IN_MEMORY, openStorage, type Storage } from './storage.ts';

/**
 * Whether trying again may help (`passing`), or the file itself is no longer what was written
 * (`damaged`).
 */
export interface StorageProblem {
  readonly kind: 'passing' | 'damaged';
  readonly sentence: string;
}

/** The table's file cannot be used: said at the start. */
export class TableFileError extends PassepartoutError {
  override readonly name: string = 'TableFileError';
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, false, options);
  }
}

const PUT_BACK = 'Put a copy of it back, or move it away to begin with an empty table.';
const READ_ONLY = 'cannot be written: it or its folder is read-only. Let its owner write both.';
/** By SQLite's primary result codes. */
const PASSING: Readonly<Record<number, string>> = {
  5: 'is in use by another process. End that process first.',
  8: READ_ONLY,
  13: 'cannot be written: the disk is full. Make room: work goes on by itself.',
  14: READ_ONLY,
};
/** The file is corrupt; the file is no database. */
const DAMAGED = [11, 26];

const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Undefined for an error that is not SQLite's: a bug should look like a bug. */
export const describeStorageError = (file: string, error: unknown): StorageProblem | undefined => {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (DAMAGED.includes(code))
    return { kind: 'damaged', sentence: `${file} is damaged (${String(error)}). ${PUT_BACK}` };
  const other = `cannot be read or written (${String(error)}). Check the disk: work goes on by itself.`;
  return { kind: 'passing', sentence: `${file} ${PASSING[code] ?? other}` };
};

/** A new, private file at this place, instead of whatever is there. */
export const makeEmptyFile = (file: string): void => {
  rmSync(file, { force: true });
  // A log left by a file that was removed would be taken for this one's.
  rmSync(`${file}-wal`, { force: true });
  closeSync(openSync(file, 'wx', 0o600));
};

const create = (file: string): void => {
  const draft = `${file}.draft`;
  makeEmptyFile(draft);
  openStorage(draft).close();
  rmSync(`${file}-wal`, { force: true });
  renameSync(draft, file);
};

const open = (file: string): Storage => {
  if (!existsSync(file)) create(file);
  if (statSync(file).size === 0)
    throw new TableFileError(`${file} is empty, though a table was written there. ${PUT_BACK}`);
  if (![file, dirname(file)].every(isWritable)) throw new TableFileError(`${file} ${READ_ONLY}`);
  const storage = openStorage(file);
  const damage = storage.findDamage();
  if (damage === undefined) return storage;
  storage.close();
  throw new TableFileError(`${file} is damaged (${damage}). ${PUT_BACK}`);
};

/** Opens a file that is whole, or makes it. @throws TableFileError with the sentence to show */
export const openTableFile = (file: string): Storage => {
  if (file === IN_MEMORY) return openStorage(file);
  try {
    return open(file);
  } catch (error) {
    const problem = describeStorageError(file, error);
    throw problem === undefined ? error : new TableFileError(problem.sentence, { cause: error });
  }
};
