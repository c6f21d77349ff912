/**
 * The files of a skill that an order names: taken from this machine's own folder, else asked of the
 * stack. Their hashes are in the order, which Act signed, and each is compared here before every
 * run: other bytes run nothing. The files that were used longest ago go when the folder is full.
 */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError } from '../../lib/core/base/errors.ts';
import { KIB } from '../../lib/core/base/limits.ts';
import { SKILL_FOLDER } from '../../lib/core/signal/runner-tools.ts';
import type { Order } from '../../lib/features/runner/order.ts';
import type { RunnerAnswer } from '../../lib/features/runner/requests.ts';
import { orderFiles } from '../../lib/features/runner/skill-folder.ts';
import type { Confinement } from './sandbox.ts';

/** Ten large skills; two orders at once need two. */
const KEPT_BYTES_MAX = 64 * KIB * KIB;
/** Read and run by the command, changed by nobody. */
const MODE = 0o500;

const readKept = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

const prune = (folder: string, bytesMax: number): void => {
  const kept = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), ...statSync(join(folder, name)) }))
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const { path, size } of kept) {
    bytes += size;
    if (bytes > bytesMax) rmSync(path, { force: true });
  }
};

/**
 * @param folder of kept files
 * @param load asks the stack for one
 * @returns the files and where the sandbox lays them; none if the order names none
 * @throws ProtocolError if the stack gives other bytes, and whatever `load` throws
 */
export const takeSkillFiles = async (
  folder: string,
  { id, action }: Order,
  load: (asked: { readonly id: string; readonly sha256: string }) => Promise<RunnerAnswer<'file'>>,
  bytesMax = KEPT_BYTES_MAX,
): Promise<Confinement['own']> => {
  const files = orderFiles(action.args ?? {});
  for (const { path, sha256, bytes } of files) {
    const isRight = (found: Buffer | undefined) => found?.length === bytes && hash('sha256', found) === sha256;
    const kept = join(folder, sha256);
    if (!isRight(readKept(kept))) {
      const given = Buffer.from((await load({ id, sha256 })).base64, 'base64');
      if (!isRight(given)) throw new ProtocolError(`the stack gave other bytes for ${path} than the order names`);
      rmSync(`${kept}.draft`, { force: true });
      writeFileSync(`${kept}.draft`, given, { mode: MODE });
      renameSync(`${kept}.draft`, kept);
    }
    const now = new Date();
    utimesSync(kept, now, now);
  }
  if (files.length > 0) prune(folder, bytesMax);
  return files.map(({ path, sha256 }) => ({ from: join(folder, sha256), to: `${SKILL_FOLDER}/${path}` }));
};
