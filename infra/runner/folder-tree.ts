/**
 * The names below a folder: it is read again only if its time of change moved. Does not follow
 * symbolic links. A tree beyond its bounds, or that cannot be searched, is refused, never cut.
 */
import { accessSync, constants, type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ProtocolError } from '../../lib/core/base/errors.ts';
import { findSecretPath } from '../../lib/core/text/find-secret-path.ts';
import { isWithin } from './check-folder.ts';
import type { Mask } from './sandbox.ts';

/** A large project with its packages; looking at so many again takes a quarter of a second. */
const TREE_FOLDERS_MAX = 40_000;
/** Names of those; each is remembered, some 100 bytes. */
const TREE_NAMES_MAX = 400_000;
/** Each mask is a mount of its own. */
const MASKS_MAX = 500;
/** A longer one may have no canonical form. */
const PATH_CHARS_MAX = 1_024;
/** More than a secret's name has. */
const END_PARTS = 8;
/** Of a path that a refusal names; a folder can lie deeper than any path can name. */
const PATH_SHOWN_CHARS = 300;
/** Clocks of file systems tick in 4 to 10 ms: a folder read so soon may change unseen. */
const RACY_MS = 50;

export interface Folder {
  readonly changedMs: number;
  readonly inode: number;
  readonly readAt: number;
  readonly folders: readonly string[];
  readonly files: ReadonlySet<string>;
  readonly masks: readonly Mask[];
  /** Symbolic links with names of secrets; where one leads can change without this folder. */
  readonly links: readonly string[];
}

/** By their canonical paths. */
export type Tree = ReadonlyMap<string, Folder>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they may stand in names
const FORMLESS = /[\u0000-\u001f\u007f%]/;

/** A path too long for a canonical form, or with characters that have none, is known by its end. */
const spelled = (path: string): string =>
  path.length > PATH_CHARS_MAX || FORMLESS.test(path)
    ? path.split('/').slice(-END_PARTS).join('/').replaceAll(new RegExp(FORMLESS, 'g'), '_')
    : path;

export const isSecret = (path: string, isFolder: boolean): boolean =>
  findSecretPath(spelled(isFolder ? `${path}/x` : path)) !== undefined;

/** A secret, and the folders that its name needs: `.docker` for `.docker/config.json`. */
const masksFor = (path: string, isFolder: boolean): readonly Mask[] => {
  const masks: Mask[] = [{ path, kind: isFolder ? 'folder' : 'file' }];
  let at = dirname(path);
  for (let tail = basename(path); at !== '/' && !isSecret(tail, isFolder); at = dirname(at)) {
    masks.push({ path: at, kind: 'name' });
    tail = join(basename(at), tail);
  }
  return masks;
};

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Node spells what is no UTF-8 in a name with a replacement character, and finds it no more. */
const checkName = (path: string): void => {
  if (basename(path).includes('\ufffd') && lstatSync(path, { throwIfNoEntry: false }) === undefined)
    throw new ProtocolError(`${path} cannot be searched for secrets: its name is no text in UTF-8`);
};

/**
 * A socket leads out of the sandbox. A command might open up a path that this account may not read.
 */
const readFolder = (path: string): Omit<Folder, 'changedMs' | 'inode' | 'readAt'> => {
  const folders: string[] = [];
  const files = new Set<string>();
  const masks: Mask[] = [];
  const links: string[] = [];
  const add = (at: string, entry: Dirent): void => {
    const isFolder = entry.isDirectory();
    if (!isFolder) files.add(at);
    const isHidden = isSecret(at, isFolder);
    if (isHidden || isFolder) checkName(at);
    if (isHidden && entry.isSymbolicLink()) links.push(at);
    else if (isHidden) masks.push(...masksFor(at, isFolder));
    else if (isFolder) folders.push(at);
    else if (entry.isSocket()) masks.push({ path: at, kind: 'file' });
  };
  if (!isReadable(path)) masks.push({ path, kind: 'folder' });
  else for (const entry of readdirSync(path, { withFileTypes: true })) add(join(path, entry.name), entry);
  return { folders, files, masks, links };
};

const isSame = (known: Folder | undefined, changedMs: number, inode: number): known is Folder =>
  known?.changedMs === changedMs && known.inode === inode && changedMs < known.readAt - RACY_MS;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';

/** @throws ProtocolError unless the folder is read, or gone */
const look = (path: string, known: Folder | undefined): Folder | undefined => {
  try {
    const { ctimeMs: changedMs, ino: inode } = lstatSync(path);
    const readAt = Date.now();
    return isSame(known, changedMs, inode) ? known : { changedMs, inode, readAt, ...readFolder(path) };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ProtocolError(`${path.slice(0, PATH_SHOWN_CHARS)} cannot be searched for secrets (${code})`);
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

/** The target of a link with the name of a secret, if it leads anywhere. */
const targetOf = (link: string): readonly Mask[] => {
  try {
    const path = realpathSync(link);
    return [{ path, kind: statSync(path).isDirectory() ? 'folder' : 'file' }];
  } catch {
    return [];
  }
};

/** Masks in these trees. A link from one folder may lead to a secret in another. */
export const masksOf = (trees: readonly Tree[], roots: readonly string[]): readonly Mask[] => {
  const folders = trees.flatMap((tree) => [...tree.values()]);
  const all = folders.flatMap(({ masks, links }) => [...masks, ...links.flatMap(targetOf)]);
  // A hidden path keeps its name, too.
  const ordered = all.toSorted((a, b) => Number(b.kind === 'name') - Number(a.kind === 'name'));
  const masks = [...new Map(ordered.map((mask) => [mask.path, mask])).values()];
  const hidden = masks.filter(({ kind }) => kind === 'folder');
  const isHidden = ({ path }: Mask): boolean => hidden.some((one) => one.path !== path && isWithin(path, one.path));
  const inside = masks.filter((mask) => roots.some((root) => isWithin(mask.path, root)) && !isHidden(mask));
  if (inside.length > MASKS_MAX)
    throw new ProtocolError(`the folders hold more than ${MASKS_MAX} files of secrets: name smaller folders`);
  return inside;
};
