/**
 * The files that changed while an order ran, also by others. Files of version control and packages
 * come last, for only so many are named.
 */
import { createHash } from 'node:crypto';
import { constants, lstatSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { KIB } from '../../lib/core/base/limits.ts';
import { type ChangedFile, RUNNER_CHANGES_MAX } from '../../lib/features/runner/result.ts';
import { isSecret, type Tree } from './folder-tree.ts';

/** Larger files are named without the hash of their content. */
const HASHED_BYTES_MAX = 16 * KIB * KIB;
/** All named paths together: result and text fit one request. */
const PATHS_BYTES_MAX = 32 * KIB;
/** The kernel's clock for files runs behind by its tick. */
const CLOCK_TICK_MS = 10;

export interface Changes {
  readonly changed: readonly ChangedFile[];
  readonly more: number;
}

const filesOf = (trees: readonly Tree[]): ReadonlySet<string> =>
  new Set(trees.flatMap((tree) => [...tree.values()].flatMap(({ files }) => [...files])));

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** The owner may change files meanwhile: it follows no link and waits for no pipe. */
const hashOfFile = async (path: string): Promise<string | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const sha256 = createHash('sha256');
    for await (const part of file.createReadStream({ end: HASHED_BYTES_MAX })) sha256.update(part);
    return sha256.digest('hex');
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
};

const describe = async (path: string, kind: ChangedFile['kind']): Promise<ChangedFile> => {
  const stats = kind === 'removed' ? undefined : statOf(path);
  // A hash tells who guesses a secret whether the guess is right.
  if (stats === undefined || !stats.isFile() || isSecret(path, false)) return { path, kind };
  const sha256 = stats.size <= HASHED_BYTES_MAX ? await hashOfFile(path) : undefined;
  return { path, kind, bytes: stats.size, ...(sha256 !== undefined && { sha256 }) };
};

const isInner = (path: string): boolean => /\/(?:\.git|node_modules)\//.test(path);

/** @param since epoch milliseconds */
export const findChanges = async (before: readonly Tree[], after: readonly Tree[], since: number): Promise<Changes> => {
  const [old, now] = [filesOf(before), filesOf(after)];
  const kindOf = (path: string): ChangedFile['kind'] | undefined => {
    if (!old.has(path)) return 'added';
    return (statOf(path)?.ctimeMs ?? 0) >= since - CLOCK_TICK_MS ? 'changed' : undefined;
  };
  const found = [...now].flatMap((path) => {
    const kind = kindOf(path);
    return kind === undefined ? [] : [{ path, kind }];
  });
  const removed = [...old].filter((path) => !now.has(path)).map((path) => ({ path, kind: 'removed' as const }));
  const all = [...found, ...removed].toSorted(
    (a, b) => Number(isInner(a.path)) - Number(isInner(b.path)) || (a.path < b.path ? -1 : 1),
  );
  const changed: ChangedFile[] = [];
  let pathBytes = 0;
  for (const { path, kind } of all.slice(0, RUNNER_CHANGES_MAX)) {
    pathBytes += Buffer.byteLength(JSON.stringify(path));
    if (pathBytes > PATHS_BYTES_MAX) break;
    changed.push(await describe(path, kind));
  }
  return { changed, more: all.length - changed.length };
};
