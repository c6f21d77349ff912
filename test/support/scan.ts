/**
 * Everything in a table, page after page, as a test looks for what must or must not be there; and
 * an item as text, sets included.
 */
import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../lib/core/store/table.ts';
import { decodeItem } from '../../lib/core/store/write-token.ts';

export interface Scanned {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

export const scanTable = async ({ client, tableName }: Scanned): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName: tableName, ConsistentRead: true }))
    items.push(...(page.Items ?? []).map(decodeItem));
  return items;
};

/** Items of one space; partitions are named `<kind>#<space>…`. */
export const scanSpace = async (scanned: Scanned, space: string): Promise<readonly Item[]> =>
  (await scanTable(scanned)).filter(({ pk }) => String(pk).split('#')[1] === space);

export const itemText = (item: Item): string =>
  JSON.stringify(item, (_, value: unknown) => (value instanceof Set ? [...value] : value));

/** Keys of the items of a space that hold the words. */
export const findWords = async (scanned: Scanned, space: string, words: string): Promise<readonly string[]> =>
  (await scanSpace(scanned, space)).filter((item) => itemText(item).includes(words)).map(({ pk, sk }) => `${pk} ${sk}`);
