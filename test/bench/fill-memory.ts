/**
 * Fills a space with so many notes in bulk, behind memory's back: current objects only, without
 * versions or commits.
 */
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { commitKeys, memoryKeys } from '../../lib/core/memory/keys.ts';
import { buildNote } from '../../lib/core/memory/object.ts';
import { aNote, NOW } from '../core/memory/notes.ts';
import type { TestDynamo } from '../support/dynamo.ts';

const ITEMS_PER_BATCH = 25;
const BATCHES_AT_ONCE = 8;

/** Note `n` is made by the effect `fill-<n>#0`. */
const noteOf = (n: number) =>
  aNote({
    text: `Note ${n}: ${'what a person writes down, in a few lines. '.repeat(8)}`,
    effectId: `fill-${n}#0`,
    now: NOW + n,
  });

export const fillMemory = async (
  dynamo: Pick<TestDynamo, 'client' | 'tableName' | 'table'>,
  space: string,
  size: number,
): Promise<void> => {
  const { client, tableName } = dynamo;
  const put = (first: number) => {
    const count = Math.min(ITEMS_PER_BATCH, size - first);
    const items = Array.from({ length: Math.max(0, count) }, (_, n) => {
      const object = { ...buildNote(noteOf(first + n)), commit: 1 };
      return { Put: { TableName: tableName, Item: marshall({ ...object, ...memoryKeys.object(space, object.id) }) } };
    });
    return items.length === 0 ? undefined : client.send(new TransactWriteItemsCommand({ TransactItems: items }));
  };
  const step = ITEMS_PER_BATCH * BATCHES_AT_ONCE;
  for (let first = 0; first < size; first += step)
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, (_, n) => put(first + n * ITEMS_PER_BATCH)));
  await dynamo.table.put(commitKeys.head(space), { schemaVersion: 1, number: 1, hash: '0'.repeat(64) });
};
