/**
 * A DynamoDB-compatible server of its own for one test file: in memory, on loopback, with the one table and its two
 * indexes. `await using` (or `stop`) ends it; it also ends with the process, however that ends cleanly.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { buildTable, type Table } from '../../lib/aws/table.ts';

export interface TestDynamo extends AsyncDisposable {
  readonly client: DynamoDBClient;
  readonly endpoint: string;
  readonly tableName: string;
  readonly table: Table;
  readonly stop: () => Promise<void>;
}

const START_TRIES_MAX = 5;
const READY_TRIES_MAX = 3_000;
const READY_WAIT_MS = 20;

const binary = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()));
    });
  });

const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

const isReady = async (child: ChildProcess, port: number): Promise<boolean> => {
  for (let tries = 0; tries < READY_TRIES_MAX && child.exitCode === null; tries += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      // Another process may have taken the port: then ours is about to end, or has.
      await new Promise((resolve) => setTimeout(resolve, READY_WAIT_MS));
      return child.exitCode === null;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, READY_WAIT_MS));
    }
  }
  return false;
};

const launch = async (): Promise<{ readonly child: ChildProcess; readonly port: number }> => {
  for (let tries = 0; tries < START_TRIES_MAX; tries += 1) {
    const port = await freePort();
    const child = spawn(binary, ['serve', '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
    if (await isReady(child, port)) return { child, port };
    child.kill('SIGKILL');
  }
  throw new Error('the test database did not start');
};

const createTable = (client: DynamoDBClient, tableName: string) =>
  client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        ...['unfinished', 'feed'].flatMap((index) => [
          { AttributeName: `${index}Space`, AttributeType: 'S' as const },
          { AttributeName: `${index}At`, AttributeType: 'N' as const },
        ]),
      ],
      GlobalSecondaryIndexes: ['unfinished', 'feed'].map((index) => ({
        IndexName: index,
        KeySchema: [
          { AttributeName: `${index}Space`, KeyType: 'HASH' as const },
          { AttributeName: `${index}At`, KeyType: 'RANGE' as const },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' as const },
      })),
    }),
  );

/** Starts a server with an empty table. */
export const startDynamo = async (): Promise<TestDynamo> => {
  const { child, port } = await launch();
  const endAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', endAtExit);
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 3,
  });
  // As the functions' own client: it filters every input and output whether or not anybody listens.
  client.middlewareStack.remove('loggerMiddleware');
  const tableName = 'passepartout-test';
  await createTable(client, tableName);
  const stop = async (): Promise<void> => {
    client.destroy();
    child.kill('SIGTERM');
    await exited(child);
    process.removeListener('exit', endAtExit);
  };
  return { client, endpoint, tableName, table: buildTable(client, tableName), stop, [Symbol.asyncDispose]: stop };
};
