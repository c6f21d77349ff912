/** Erases what the versions of forgotten objects say: hash, place and tombstone stay. Repeating it changes nothing. */
import { type Condition, present } from '../aws/condition.ts';
import { memoryKeys } from './keys.ts';
import { buildForgotten, type ForgottenObject } from './object.ts';
import type { WriteDeps } from './write-deps.ts';

const IS_VERSION: Condition = { name: 'the version exists', holds: present('pk') };
/** Objects worked on at once: a tree of thousands has to be done within one run of Act, or two. */
const OBJECTS_AT_ONCE = 8;

/** Of those ids only that are forgotten now. */
export const eraseVersions = async ({ table, space, reader }: WriteDeps, ids: readonly string[]): Promise<void> => {
  const pk = memoryKeys.partition(space);
  const erase = async ({ id, tombstone }: ForgottenObject): Promise<void> => {
    for (const { sk, object } of await reader.loadHistory(id))
      if (object.state === 'live') await table.put({ pk, sk }, buildForgotten(object, tombstone), IS_VERSION);
  };
  const { number } = await reader.loadHead();
  const all = [...(await reader.loadMany(ids, number)).values()].filter((object) => object.state === 'forgotten');
  for (let first = 0; first < all.length; first += OBJECTS_AT_ONCE)
    await Promise.all(all.slice(first, first + OBJECTS_AT_ONCE).map(erase));
};
