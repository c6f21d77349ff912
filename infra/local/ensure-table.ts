/**
 * Makes sure that the table of the template exists in the local database, as the template has it. A table from an earlier
 * release is kept; indexes it lacks are added, and a key that differs is refused, because no copy could be right.
 */
import * as z from 'zod';
import { ConfigError } from '../../lib/base/errors.ts';
import { embeddedDynamoClient } from '../../lib/store/clients.ts';
import { raiseDataVersion } from '../../lib/store/data-version.ts';
import { buildTable } from '../../lib/store/table.ts';
import { callDynamo, DynamoCallError, type TableAccess } from './dynamo-call.ts';
import type { Wiring } from './wiring.ts';

const Key = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const Index = z.object({ IndexName: z.string(), KeySchema: Key, Projection: z.unknown() });
const TableInput = z.object({
  TableName: z.string(),
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: Key,
  GlobalSecondaryIndexes: z.array(Index),
});
const Described = z.object({
  Table: z.object({ KeySchema: Key, GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string() })).default([]) }),
});

const describeTable = async (
  access: TableAccess,
  TableName: string,
): Promise<z.infer<typeof Described> | undefined> => {
  try {
    return Described.parse(await callDynamo(access, 'DescribeTable', { TableName }));
  } catch (error) {
    if (error instanceof DynamoCallError && error.type === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

/** Data of a newer release is left as it is. @throws NewerDataError */
const settleVersion = async (access: TableAccess, tableName: string, { region, space }: Place): Promise<void> => {
  const client = embeddedDynamoClient(access.endpoint, region, access.credentials);
  try {
    await raiseDataVersion(buildTable(client, tableName), space);
  } finally {
    client.destroy();
  }
};

interface Place {
  readonly region: string;
  readonly space: string;
}

/** @throws ConfigError when the existing table cannot serve, NewerDataError before it is changed */
export const ensureTable = async (access: TableAccess, wiring: Wiring, place: Place): Promise<void> => {
  const input = TableInput.parse(wiring.table);
  const settle = () => settleVersion(access, input.TableName, place);
  const existing = await describeTable(access, input.TableName);
  if (existing === undefined) {
    await callDynamo(access, 'CreateTable', wiring.table);
    const TimeToLiveSpecification = { AttributeName: wiring.ttlAttribute, Enabled: true };
    await callDynamo(access, 'UpdateTimeToLive', { TableName: input.TableName, TimeToLiveSpecification });
    return settle();
  }
  if (JSON.stringify(existing.Table.KeySchema) !== JSON.stringify(input.KeySchema)) {
    throw new ConfigError([`the table ${input.TableName} has other keys than this release: use another DATA_DIR`]);
  }
  await settle();
  const present = existing.Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
  for (const Create of input.GlobalSecondaryIndexes.filter(({ IndexName }) => !present.includes(IndexName))) {
    await callDynamo(access, 'UpdateTable', {
      TableName: input.TableName,
      AttributeDefinitions: input.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create }],
    });
  }
};
