/**
 * Makes sure that the table of the template exists in the local database, as the template has it. A table from an earlier
 * release is kept; indexes it lacks are added, and a key that differs is refused, because no copy could be right.
 */
import * as z from 'zod';
import { ConfigError } from '../../lib/errors.ts';
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

/**
 * @param settleVersion refuses data of a newer release, before anything of an existing table is
 * changed
 * @throws ConfigError when the existing table cannot serve
 */
export const ensureTable = async (
  access: TableAccess,
  wiring: Wiring,
  settleVersion: () => Promise<void>,
): Promise<void> => {
  const input = TableInput.parse(wiring.table);
  const existing = await describeTable(access, input.TableName);
  if (existing === undefined) {
    await callDynamo(access, 'CreateTable', wiring.table);
    const TimeToLiveSpecification = { AttributeName: wiring.ttlAttribute, Enabled: true };
    await callDynamo(access, 'UpdateTimeToLive', { TableName: input.TableName, TimeToLiveSpecification });
    return settleVersion();
  }
  if (JSON.stringify(existing.Table.KeySchema) !== JSON.stringify(input.KeySchema)) {
    throw new ConfigError([`the table ${input.TableName} has other keys than this release: use another DATA_DIR`]);
  }
  await settleVersion();
  const present = existing.Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
  for (const Create of input.GlobalSecondaryIndexes.filter(({ IndexName }) => !present.includes(IndexName))) {
    await callDynamo(access, 'UpdateTable', {
      TableName: input.TableName,
      AttributeDefinitions: input.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create }],
    });
  }
};
