/**
 * Writes exported notes into a folder. A file that is there with other content is left alone and
 * named, unless overwriting is meant; one with the same content is not touched. Nothing is written
 * through a link or out of the folder; each file appears whole or not at all. Fails only when the
 * folder itself cannot be made.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ExportFile } from './plan-export.ts';

export type Saved = 'written' | 'unchanged' | 'differs' | 'refused';

/** What is at a path: its text, nothing, or something that is not a plain file. */
const lookAt = async (path: string): Promise<string | undefined | 'no file'> => {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return undefined;
  return stat.isFile() ? `text:${await readFile(path, 'utf8')}` : 'no file';
};

/**
 * Makes folders one by one, so that none is made through a link; false where something else is in
 * the way.
 */
const makeFolders = async (root: string, names: readonly string[]): Promise<boolean> => {
  for (const n of names.keys()) {
    const path = join(root, ...names.slice(0, n + 1));
    const stat = await lstat(path).catch(() => undefined);
    if (stat === undefined) await mkdir(path);
    else if (!stat.isDirectory()) return false;
  }
  return true;
};

const saveNote = async (root: string, { file, text }: ExportFile, mayOverwrite: boolean): Promise<Saved> => {
  const path = join(root, ...file.split('/'));
  const folder = dirname(path);
  if (!(await makeFolders(root, file.split('/').slice(0, -1)))) return 'refused';
  const found = await lookAt(path);
  if (found === 'no file') return 'refused';
  if (found === `text:${text}`) return 'unchanged';
  if (found !== undefined && !mayOverwrite) return 'differs';
  const fresh = join(folder, `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(fresh, text, { flag: 'wx' });
    await rename(fresh, path);
    return 'written';
  } finally {
    await rm(fresh, { force: true });
  }
};

/** What became of each file, in order. */
export const saveNotes = async (
  folder: string,
  files: readonly ExportFile[],
  mayOverwrite: boolean,
): Promise<readonly { readonly file: string; readonly saved: Saved }[]> => {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const results: { readonly file: string; readonly saved: Saved }[] = [];
  for (const one of files)
    results.push({ file: one.file, saved: await saveNote(root, one, mayOverwrite).catch(() => 'refused' as const) });
  return results;
};
