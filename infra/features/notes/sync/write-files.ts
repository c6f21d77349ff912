/**
 * Writes to a folder that is kept in step, through no link. A file is replaced only if it still has
 * the text that was read; what leaves it is kept in the hidden folder `.trash` first.
 */
import { lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lookAt, makeFolders } from '../../../cli/notes/folder.ts';
import { isSafeFile } from '../../../cli/notes/plan-export.ts';
import { CliError, EXIT } from '../../../cli/terminal.ts';
import { writeWhole } from './state.ts';

const TRASH = '.trash';

/** Its folders, made one by one; false if something is in the way. */
const hasFolders = (root: string, file: string): Promise<boolean> => makeFolders(root, file.split('/').slice(0, -1));

/** @param expected its text as it was read; undefined if it is new */
export const replaceFile = async (
  root: string,
  file: string,
  text: string,
  expected: string | undefined,
): Promise<'written' | 'late' | 'blocked'> => {
  if (!isSafeFile(file) || !(await hasFolders(root, file))) return 'blocked';
  const path = join(root, ...file.split('/'));
  const found = await lookAt(path);
  if (found === `text:${text}`) return 'written';
  if (found !== (expected === undefined ? undefined : `text:${expected}`)) return 'late';
  await writeWhole(path, text, expected === undefined ? 0o600 : (await lstat(path)).mode & 0o777);
  return 'written';
};

/** @param stamp part of the copy's name, new each time */
const trashPath = async (root: string, file: string, stamp: string): Promise<string> => {
  const inTrash = `${TRASH}/${file}.${stamp}`;
  if (!(await hasFolders(root, inTrash))) throw new CliError(EXIT.failed, '.trash is no folder that can be written');
  return join(root, ...inTrash.split('/'));
};

/** Keeps what is taken out of a file. */
export const keepInTrash = async (root: string, file: string, text: string, stamp: string): Promise<void> => {
  await writeWhole(await trashPath(root, file, stamp), text, 0o600);
};

/** Moves a file there. A file that is gone already is no error. */
export const moveToTrash = async (root: string, file: string, stamp: string): Promise<void> => {
  const path = join(root, ...file.split('/'));
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  await rename(path, await trashPath(root, file, stamp));
};

/** Beside its file, so that a person sees it; no reader of notes opens it. */
export const writeCopy = async (root: string, copy: string, text: string): Promise<void> => {
  const path = join(root, ...copy.split('/'));
  await mkdir(dirname(path), { recursive: true });
  const found = await lookAt(path);
  if (found === 'no file') throw new CliError(EXIT.failed, 'something else is in the place of the copy');
  await writeWhole(path, text, 0o600);
};

export const isThere = async (root: string, file: string): Promise<boolean> =>
  (await lstat(join(root, ...file.split('/'))).catch(() => undefined)) !== undefined;
