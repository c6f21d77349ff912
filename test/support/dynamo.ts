/**
 * An embedded table server for one test file: in memory, on loopback, with the one table and its
 * two indexes. `await using` (or `stop`) ends it.
 */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Credentials } from '../../infra/local/table-server/signature.ts';
import { closeStorage, IN_MEMORY, openStorage } from '../../infra/local/table-server/storage.ts';
import { startTableServer, type TableServer } from '../../infra/local/table-server/table-server.ts';
import { buildTable, type Table } from '../../lib/core/store/table.ts';
import { buildDirectSend } from './direct-client.ts';

export interface TestDynamo extends AsyncDisposable {
  readonly client: DynamoDBClient;
  readonly endpoint: string;
  readonly credentials: Credentials;
  readonly tableName: string;
  readonly table: Table;
  readonly stop: () => Promise<void>;
}

export const createTable = (client: DynamoDBClient, tableName: string) =>
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

/** Requests reach the server in this process, without a connection: it takes half the time. */
const buildHandler = ({ run }: TableServer) => ({
  handle: async ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string | Uint8Array }) => {
    const action = (headers['x-amz-target'] ?? '').replace(/^.*\./, '');
    // `Buffer.from` would call the body's `valueOf`, of which the SDK warns.
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const answer = await run({ action, body: text });
    return { response: { statusCode: answer.status, headers: {}, body: Buffer.from(answer.body) } };
  },
  destroy: () => undefined,
  metadata: { handlerProtocol: 'http/1.1' },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});

/** Starts a server with an empty table. */
export const startDynamo = async (): Promise<TestDynamo> => {
  const storage = openStorage(IN_MEMORY);
  // Tests put proxies in front of it, and give it as a foreign server to stacks.
  const server = await startTableServer({ storage, file: IN_MEMORY, isOpen: true });
  const { endpoint, credentials } = server;
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 3 });
  Object.assign(client.config, {
    requestHandler: buildHandler(server),
    signer: async () => ({ sign: async <T>(request: T): Promise<T> => request }),
  });
  // As the functions' own client: it filters every input and output whether or not anybody listens.
  client.middlewareStack.remove('loggerMiddleware');
  const tableName = 'passepartout-test';
  await createTable(client, tableName);
  // The client itself stays whole: tests put faults into its middleware.
  const direct = { send: buildDirectSend(client, (action, body) => server.run({ action, body })) };
  const stop = async (): Promise<void> => {
    client.destroy();
    await server.stop();
    closeStorage(storage);
  };
  return {
    client,
    endpoint,
    credentials,
    tableName,
    table: buildTable(direct as unknown as DynamoDBClient, tableName),
    stop,
    [Symbol.asyncDispose]: stop,
  };
};
