/**
 * A cache of things made from files: an entry is named by the hash of everything it depends on, appears as a whole or not at
 * all, and is never changed. In a folder of one stack older entries are removed; in a shared one others may be using them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface ContentCache {
  /** Must exist. */
  readonly folder: string;
  readonly isShared: boolean;
}

const filesOf = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name !== 'node_modules')
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];

/** First 128 bits of a SHA-256, hex. @param paths files or folders; @param extras further text that matters */
export const hashContent = (root: string, paths: readonly string[], extras: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const extra of extras) hash.update(`${extra.length}:${extra}`);
  for (const file of paths.flatMap(filesOf)) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
};

/**
 * Path of the entry `<kind>-<hash>`, made first if it is not there.
 * @param make writes the entry, a file or a folder, to the path it is given
 */
export const loadEntry = async (
  cache: ContentCache,
  kind: string,
  hash: string,
  make: (path: string) => Promise<void>,
): Promise<string> => {
  const path = join(cache.folder, `${kind}-${hash}`);
  if (existsSync(path)) return path;
  const draft = join(cache.folder, `draft-${process.pid}-${kind}-${hash}`);
  try {
    await make(draft);
    const older = readdirSync(cache.folder).filter((name) => name.startsWith(`${kind}-`));
    renameSync(draft, path);
    if (!cache.isShared) for (const name of older) rmSync(join(cache.folder, name), { recursive: true, force: true });
  } catch (error) {
    // Another start made the same entry in the meantime: it has the same content.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
};
