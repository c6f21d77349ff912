/** Erases what the versions of a forgotten object say, one by one: hash, place and tombstone stay. Repeating it changes nothing. */
import { type Condition, present } from '../aws/condition.ts';
import { memoryKeys } from './keys.ts';
import { buildForgotten } from './object.ts';
import { stampWith } from './stored.ts';
import type { WriteDeps } from './write.ts';

const IS_VERSION: Condition = { name: 'the version exists', holds: present('pk') };

export const eraseVersions = async ({ table, space, reader }: WriteDeps, id: string): Promise<void> => {
  const { number } = await reader.loadHead();
  const now = (await reader.loadMany([id], number)).get(id);
  if (now?.state !== 'forgotten') return;
  for (const { sk, object } of await reader.loadHistory(id))
    if (object.state === 'live')
      await table.put(
        { pk: memoryKeys.partition(space), sk },
        stampWith(buildForgotten(object, now.tombstone), object.commit),
        IS_VERSION,
      );
};
