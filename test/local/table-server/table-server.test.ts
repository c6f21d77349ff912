/**
 * The table server over HTTP: open to the client that was given this start's credentials, and to
 * nobody else.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signRequest } from '../../../infra/local/table-server/signature.ts';
import { IN_MEMORY, openStorage } from '../../../infra/local/table-server/storage.ts';
import { startTableServer, type TableServer } from '../../../infra/local/table-server/table-server.ts';
import { DEFINITION, TABLE } from './random-operations.ts';

let server: TableServer;
let client: DynamoDBClient;
const connect = (credentials = server.credentials): DynamoDBClient =>
  new DynamoDBClient({ endpoint: server.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });

beforeEach(async () => {
  server = await startTableServer({ storage: openStorage(IN_MEMORY), file: IN_MEMORY });
  client = connect();
  await client.send(new CreateTableCommand(DEFINITION as ConstructorParameters<typeof CreateTableCommand>[0]));
});
afterEach(async () => {
  client.destroy();
  await server.stop();
});

const BODY = JSON.stringify({ TableName: TABLE, Key: { pk: { S: 'a' }, sk: { S: 'x' } } });
const sign = (body = BODY) =>
  signRequest(
    server.credentials,
    {
      service: 'dynamodb',
      host: new URL(server.endpoint).host,
      region: 'us-east-1',
      target: 'DynamoDB_20120810.GetItem',
      date: '20261122T120000Z',
    },
    Buffer.from(body),
  );

interface Raw {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

/** With exactly these headers, which `fetch` would not allow. */
const post = async (headers: Readonly<Record<string, string>>, body = BODY, method = 'POST'): Promise<Raw> => {
  const sent = request(server.endpoint, { method, headers }).end(body);
  const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, headers: Object.keys(answer.headers), body: Buffer.concat(chunks).toString() };
};

describe('startTableServer', () => {
  it('serves the client of the AWS SDK, whole and with its own errors', async () => {
    const Item = { pk: { S: 'a' }, sk: { S: 'x' }, n: { N: '1.50' } };
    await client.send(new PutItemCommand({ TableName: TABLE, Item }));
    const put = new PutItemCommand({
      TableName: TABLE,
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await expect(client.send(put)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { ...Item, n: { N: '1.5' } },
    });
    const get = new GetItemCommand({ TableName: 'missing', Key: { pk: { S: 'a' }, sk: { S: 'x' } } });
    await expect(client.send(get)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('makes other credentials at each start', async () => {
    const other = await startTableServer({ storage: openStorage(IN_MEMORY), file: IN_MEMORY });
    expect(other.credentials.secretAccessKey).not.toBe(server.credentials.secretAccessKey);
    expect(server.credentials.secretAccessKey.length).toBeGreaterThanOrEqual(40);
    await other.stop();
  });

  it('refuses other credentials, and a request that is not the signed one', async () => {
    const { accessKeyId, secretAccessKey } = server.credentials;
    for (const credentials of [
      { accessKeyId, secretAccessKey: 'local' },
      { accessKeyId: 'another', secretAccessKey },
    ]) {
      const stranger = connect(credentials);
      const get = new GetItemCommand({ TableName: TABLE, Key: { pk: { S: 'a' }, sk: { S: 'x' } } });
      await expect(stranger.send(get)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
      stranger.destroy();
    }
    expect(await post(sign())).toMatchObject({ status: 200 });
    const { authorization, ...unsigned } = sign();
    for (const [headers, body] of [
      [unsigned, BODY],
      [sign(), BODY.replace('"x"', '"y"')],
      [{ ...sign(), 'x-amz-target': 'DynamoDB_20120810.DeleteItem' }, BODY],
      [{ ...sign(), authorization: `${authorization}`.replace('host;', '') }, BODY],
      [{ ...sign(), authorization: 'AWS4-HMAC-SHA256 nonsense' }, BODY],
    ] as const)
      expect(await post(headers, body)).toMatchObject({ status: 403 });
  });

  it('refuses another host name, every page of a browser, and other methods; answers without CORS headers', async () => {
    const ok = await post(sign());
    expect(ok.headers.filter((name) => name.startsWith('access-control'))).toStrictEqual([]);
    expect(await post({ ...sign(), host: 'attacker.example' })).toMatchObject({ status: 400 });
    expect(await post({ ...sign(), host: `localhost:${new URL(server.endpoint).port}` })).toMatchObject({
      status: 400,
    });
    for (const origin of ['https://attacker.example', server.endpoint, 'null'])
      expect(await post({ ...sign(), origin })).toMatchObject({ status: 403 });
    const preflight = await post(
      { origin: 'https://attacker.example', 'access-control-request-method': 'POST' },
      '',
      'OPTIONS',
    );
    expect(preflight).toMatchObject({ status: 403 });
    expect(preflight.headers.filter((name) => name.startsWith('access-control'))).toStrictEqual([]);
    expect(await post({}, '', 'GET')).toMatchObject({ status: 403 });
  });

  it('ends the connection of a body beyond 16 MB', async () => {
    await expect(post(sign(), 'x'.repeat(17 * 1024 * 1024))).rejects.toThrow();
    expect(await post(sign())).toMatchObject({ status: 200 });
  });

  it('answers requests that arrive together each for itself', async () => {
    const puts = Array.from({ length: 50 }, (_, n) =>
      client.send(
        new PutItemCommand({
          TableName: TABLE,
          Item: { pk: { S: 'a' }, sk: { S: `${n % 5}` } },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    const outcomes = await Promise.allSettled(puts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });
});
