/**
 * A deployed table as a whole, for backups: a copy of one moment by point-in-time recovery, every
 * item in DynamoDB's own JSON, and items put into an empty table. Only the command line uses it.
 * Throws the client's own errors: its credentials must allow these calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { ConfigError, UnavailableError } from '../base/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../base/limits.ts';
import { dynamoClient } from './clients.ts';
import { loadStackOutputs } from './stack-outputs.ts';
import { buildTable, type Table } from './table.ts';

/** DynamoDB needs ten minutes and more for a copy, whatever its size. */
const COPY_POLL_MS = 10 * SECOND_MS;
const COPY_WAIT_MS_MAX = 120 * MINUTE_MS;
/** Puts at once: enough to hide the time of one request. */
const PUTS_AT_ONCE = 16;

/** An item as it is on the wire, binary values in base64. */
export type WireItem = Readonly<Record<string, unknown>>;

export interface TableCopy {
  readonly name: string;
  /** The moment it is of, epoch milliseconds. */
  readonly at: number;
}

export interface WholeTable {
  /** Makes a table beside this one. It costs its storage until it is dropped. */
  readonly copy: (onProgress: (what: string) => void) => Promise<TableCopy>;
  readonly drop: (name: string) => Promise<void>;
  /** Keys and indexes, as CreateTable takes them. */
  readonly describe: (name: string) => Promise<object>;
  readonly scan: (name: string) => AsyncIterable<WireItem>;
  readonly put: (items: readonly WireItem[]) => Promise<void>;
}

const Wire = z.record(z.string(), z.unknown());

const toWire = (item: Record<string, AttributeValue>): WireItem =>
  Wire.parse(
    JSON.parse(
      JSON.stringify(item, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      ),
    ),
  );

/** An attribute may be named B too: its value is an object then, never a text. */
const fromWire = (item: WireItem): Record<string, AttributeValue> =>
  JSON.parse(JSON.stringify(item), (key, value: unknown) => {
    if (key === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
    return key === 'BS' && Array.isArray(value) ? value.map((one) => Buffer.from(String(one), 'base64')) : value;
  });

const waitForCopy = async (client: DynamoDBClient, name: string, onProgress: (what: string) => void): Promise<void> => {
  const end = Date.now() + COPY_WAIT_MS_MAX;
  while (Date.now() < end) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === 'ACTIVE') return;
    onProgress(`the copy ${name} is ${Table?.TableStatus ?? 'on its way'}`);
    await sleep(COPY_POLL_MS);
  }
  throw new UnavailableError(`The copy ${name} was not ready in time. Delete this table.`);
};

const copyTable = async (
  client: DynamoDBClient,
  tableName: string,
  onProgress: (what: string) => void,
): Promise<TableCopy> => {
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: tableName }),
  );
  const moment = found?.PointInTimeRecoveryDescription?.LatestRestorableDateTime;
  if (moment === undefined) throw new UnavailableError(`The table ${tableName} has no point-in-time recovery.`);
  const name = `${tableName.slice(0, 200)}-backup-${Math.floor(moment.getTime() / SECOND_MS)}`;
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: tableName,
      TargetTableName: name,
      RestoreDateTime: moment,
      // Nobody queries the copy.
      GlobalSecondaryIndexOverride: [],
    }),
  );
  await waitForCopy(client, name, onProgress);
  return { name, at: moment.getTime() };
};

const describeTable = async (client: DynamoDBClient, name: string): Promise<object> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return {
    TableName: name,
    KeySchema: Table?.KeySchema,
    AttributeDefinitions: Table?.AttributeDefinitions,
    GlobalSecondaryIndexes: (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    })),
  };
};

async function* scanTable(client: DynamoDBClient, name: string): AsyncGenerator<WireItem> {
  for await (const page of paginateScan({ client }, { TableName: name, ConsistentRead: true }))
    for (const item of page.Items ?? []) yield toWire(item);
}

export const openWholeTable = (client: DynamoDBClient, tableName: string): WholeTable => ({
  copy: (onProgress) => copyTable(client, tableName, onProgress),
  drop: async (name) => void (await client.send(new DeleteTableCommand({ TableName: name }))),
  describe: (name) => describeTable(client, name),
  scan: (name) => scanTable(client, name),
  put: async (items) => {
    for (let first = 0; first < items.length; first += PUTS_AT_ONCE)
      await Promise.all(
        items
          .slice(first, first + PUTS_AT_ONCE)
          .map((item) => client.send(new PutItemCommand({ TableName: tableName, Item: fromWire(item) }))),
      );
  },
});

export interface DeployedTable {
  readonly whole: WholeTable;
  readonly table: Table;
  readonly tableName: string;
  readonly space: string;
  /** The bucket of files that people sent; absent in a stack of an older release. */
  readonly contentBucket?: string | undefined;
}

/** @throws ConfigError if the stack is not of this project; the clients' own errors */
export const openDeployedTable = async (stack: string): Promise<DeployedTable> => {
  const outputs = await loadStackOutputs(stack);
  const [tableName, space] = [outputs.get('TableName'), outputs.get('Space')];
  if (tableName === undefined || space === undefined)
    throw new ConfigError([`the stack ${stack} has no output TableName: is it a stack of this project?`]);
  const client = dynamoClient();
  const [whole, table] = [openWholeTable(client, tableName), buildTable(client, tableName)];
  return { whole, table, tableName, space, contentBucket: outputs.get('ContentBucketName') };
};
