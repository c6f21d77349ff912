/**
 * The names in a folder and all below it, remembered from job to job: a folder is read again only
 * if its time of change moved. Finds the secrets that a sandbox must mask, and is what changes are
 * compared with. Does not follow symbolic links. A tree beyond its bounds is refused, never cut.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError } from '../../lib/base/errors.ts';
import { findSecretPath } from '../../lib/text/find-secret-path.ts';
import { isWithin } from './allow-file.ts';
import type { Mask } from './sandbox.ts';

/** A large project with its packages; looking at so many again takes a quarter of a second. */
const TREE_FOLDERS_MAX = 40_000;
/** Names of those; each is remembered, some 100 bytes. */
const TREE_NAMES_MAX = 400_000;
/** Each mask is a mount of its own. */
const MASKS_MAX = 500;
/** Clocks of file systems tick in 4 to 10 ms: a folder read so soon may change unseen. */
const RACY_MS = 50;

export interface Folder {
  readonly changedMs: number;
  readonly inode: number;
  readonly readAt: number;
  readonly folders: readonly string[];
  readonly files: ReadonlySet<string>;
  readonly masks: readonly Mask[];
}

/** By their canonical paths. */
export type Tree = ReadonlyMap<string, Folder>;

/** A folder is secret if all in it is; a link, if its target is, which is what must be masked. */
const maskOf = (path: string, entry: Dirent): Mask | undefined => {
  if (findSecretPath(entry.isDirectory() ? `${path}/x` : path) === undefined) return undefined;
  if (!entry.isSymbolicLink()) return { path, isFolder: entry.isDirectory() };
  const target = statSync(path, { throwIfNoEntry: false });
  return target && { path: realpathSync(path), isFolder: target.isDirectory() };
};

const readFolder = (path: string): Omit<Folder, 'changedMs' | 'inode' | 'readAt'> => {
  const folders: string[] = [];
  const files = new Set<string>();
  const masks: Mask[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = join(path, entry.name);
    const mask = maskOf(at, entry);
    if (mask !== undefined) masks.push(mask);
    else if (entry.isDirectory()) folders.push(at);
    if (!entry.isDirectory()) files.add(at);
  }
  return { folders, files, masks };
};

const isSame = (known: Folder | undefined, changedMs: number, inode: number): known is Folder =>
  known?.changedMs === changedMs && known.inode === inode && changedMs < known.readAt - RACY_MS;

/** A folder that is gone, or that the account may not read, holds nothing a command could open. */
const look = (path: string, known: Folder | undefined): Folder | undefined => {
  try {
    const { ctimeMs: changedMs, ino: inode } = lstatSync(path);
    const readAt = Date.now();
    return isSame(known, changedMs, inode) ? known : { changedMs, inode, readAt, ...readFolder(path) };
  } catch {
    return undefined;
  }
};

/** @param known from an earlier look @throws ProtocolError if there is too much below it */
export const readTree = (root: string, known: Tree): Tree => {
  const tree = new Map<string, Folder>();
  const waiting = [root];
  let names = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = look(path, known.get(path));
    if (folder === undefined) continue;
    tree.set(path, folder);
    waiting.push(...folder.folders);
    names += folder.files.size;
    if (tree.size > TREE_FOLDERS_MAX || names > TREE_NAMES_MAX)
      throw new ProtocolError(`${root} holds too many files to be searched for secrets: name folders in it`);
  }
  return tree;
};

/** Secrets in these trees. A link from one folder may lead to a secret in another. */
export const masksOf = (trees: readonly Tree[], roots: readonly string[]): readonly Mask[] => {
  const all = trees.flatMap((tree) => [...tree.values()].flatMap(({ masks }) => masks));
  const masks = [...new Map(all.map((mask) => [mask.path, mask])).values()];
  const inside = masks.filter(({ path }) => roots.some((root) => isWithin(path, root)));
  if (inside.length > MASKS_MAX)
    throw new ProtocolError(`the folders hold more than ${MASKS_MAX} files of secrets: name smaller folders`);
  return inside;
};
