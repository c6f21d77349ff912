/**
 * A copy of all items of one space, made and put back in the table itself: a restore, as the
 * functions meet it.
 */
import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  ScanCommand,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import type { TestDynamo } from '../../support/dynamo.ts';

type RawItem = Record<string, AttributeValue>;

const scanSpace = async ({ client, tableName }: TestDynamo, space: string): Promise<readonly RawItem[]> => {
  const items: RawItem[] = [];
  let start: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []).filter(({ pk }) => pk?.S?.split('#')[1] === space));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
};

export const copySpace = async (dynamo: TestDynamo, space: string) => {
  const { client, tableName: TableName } = dynamo;
  const copied = await scanSpace(dynamo, space);
  return {
    restore: async (): Promise<void> => {
      for (const { pk = { S: '' }, sk = { S: '' } } of await scanSpace(dynamo, space))
        await client.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
      for (const Item of copied) await client.send(new PutItemCommand({ TableName, Item }));
    },
  };
};
