/** Erases what the versions of forgotten objects say, one by one: hash, place and tombstone stay. Repeating it changes nothing. */
import { type Condition, present } from '../aws/condition.ts';
import { memoryKeys } from './keys.ts';
import { buildForgotten } from './object.ts';
import type { WriteDeps } from './write.ts';

const IS_VERSION: Condition = { name: 'the version exists', holds: present('pk') };

/** Of those ids only that are forgotten now. */
export const eraseVersions = async ({ table, space, reader }: WriteDeps, ids: readonly string[]): Promise<void> => {
  const { number } = await reader.loadHead();
  for (const now of (await reader.loadMany(ids, number)).values()) {
    if (now.state !== 'forgotten') continue;
    for (const { sk, object } of await reader.loadHistory(now.id))
      if (object.state === 'live')
        await table.put({ pk: memoryKeys.partition(space), sk }, buildForgotten(object, now.tombstone), IS_VERSION);
  }
};
