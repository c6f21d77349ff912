/**
 * Erases what the versions of forgotten objects say: hash, place and tombstone stay. Of the documents above them goes the hash that
 * earlier releases kept of all they say (`import-hash.ts`). Repeating it changes nothing.
 */

import { type Condition, present } from '../store/condition.ts';
import { withoutImportHash } from './import-hash.ts';
import { memoryKeys } from './keys.ts';
import { MEMORY_DEPTH_MAX } from './limits.ts';
import { buildForgotten, type ForgottenObject } from './object.ts';
import type { WriteDeps } from './write-deps.ts';

const IS_VERSION: Condition = { name: 'the version exists', holds: present('pk') };
/** Objects worked on at once: a tree of thousands has to be done within one run of Act, or two. */
const OBJECTS_AT_ONCE = 8;

/** Of those ids only that are forgotten now. */
export const eraseVersions = async (
  { table, space, reader, newToken }: WriteDeps,
  ids: readonly string[],
): Promise<void> => {
  const pk = memoryKeys.partition(space);
  const erase = async ({ id, tombstone }: ForgottenObject): Promise<void> => {
    for (const { sk, object } of await reader.loadHistory(id))
      if (object.state === 'live') await table.put({ pk, sk }, buildForgotten(object, tombstone), IS_VERSION);
  };
  const eraseImportHash = async (id: string): Promise<void> => {
    for (const { sk, object } of await reader.loadHistory(id)) {
      const rest = withoutImportHash(object, newToken);
      if (rest !== undefined) await table.put({ pk, sk }, rest, IS_VERSION);
    }
  };
  const { number } = await reader.loadHead();
  const all = [...(await reader.loadMany(ids, number)).values()].filter((object) => object.state === 'forgotten');
  for (let first = 0; first < all.length; first += OBJECTS_AT_ONCE)
    await Promise.all(all.slice(first, first + OBJECTS_AT_ONCE).map(erase));
  const seen = new Set(all.map(({ id }) => id));
  let above = all.map(({ parentId }) => parentId);
  for (let level = 0; level < MEMORY_DEPTH_MAX; level += 1) {
    const fresh = [...new Set(above)].filter((id) => id !== undefined).filter((id) => !seen.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) {
      seen.add(id);
      await eraseImportHash(id);
    }
    above = [...(await reader.loadMany(fresh, number)).values()].map(({ parentId }) => parentId);
  }
};
