/**
 * Judges the folders that the owner may name for jobs: none of the system, of secrets or of the
 * runner.
 */
import { realpathSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findSecretPath } from '../../lib/core/text/find-secret-path.ts';
import { canonicalPath } from '../../lib/core/text/path-canonical.ts';

/** Folders of this machine that no order may have. */
export interface OwnPlaces {
  /** Without symbolic links. */
  readonly home: string;
  /** The runner's own folder: keys and journal. */
  readonly runnerFolder: string;
}

/** The system's folders: the sandbox has its own, or needs them as they are. */
const SYSTEM_TREES = ['proc', 'sys', 'dev', 'etc', 'run', 'boot', 'usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64'];
const SYSTEM_FOLDERS = [
  '/',
  '/tmp',
  '/var',
  '/private',
  '/private/tmp',
  '/Users',
  '/System',
  '/Library',
  '/Applications',
];

/** Programs that the runner itself runs, beside orders and without their sandbox. */
const OWN_PROGRAMS = [fileURLToPath(new URL('../..', import.meta.url)), process.execPath].map((path) =>
  realpathSync(path),
);

/** Whether a canonical path is a folder or lies below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

const kindOf = (path: string): 'missing' | 'folder' | 'file' => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  return stats.isDirectory() ? 'folder' : 'file';
};

/** `~` is the home of the runner's account. */
export const spell = (given: string, home: string): string =>
  given === '~' ? home : given.replace(/^~\//, `${home}/`);

/** @returns the folder's one spelling, or what is wrong with it */
export const checkFolder = (
  given: string,
  use: 'read' | 'write',
  { home, runnerFolder }: OwnPlaces,
): { path: string } | { problem: string } => {
  const spelled = spell(given, home);
  if (!spelled.startsWith('/')) return { problem: 'give the whole path, or one that begins with ~/' };
  const path = canonicalPath(spelled);
  if (path === undefined) return { problem: 'this is no path' };
  const top = path.split('/')[1] ?? '';
  if (SYSTEM_TREES.includes(top) || SYSTEM_FOLDERS.includes(path)) return { problem: 'this is a folder of the system' };
  if (isWithin(home, path)) return { problem: 'this holds your whole home folder: name folders in it' };
  const secret = findSecretPath(path);
  if (secret !== undefined) return { problem: `this is ${secret}` };
  const kind = kindOf(path);
  if (kind !== 'folder') return { problem: kind === 'missing' ? 'this folder does not exist' : 'this is no folder' };
  const real = realpathSync(path);
  if (real !== path) return { problem: `this leads through a symbolic link: name ${real}` };
  if (isWithin(path, runnerFolder) || isWithin(runnerFolder, path))
    return { problem: "this is the runner's own folder" };
  if (use === 'write' && OWN_PROGRAMS.some((own) => isWithin(path, own) || isWithin(own, path)))
    return { problem: 'this holds programs of the runner itself: orders may not change them' };
  return { path };
};
