/**
 * What the database's refusals become: a real database for those it can give, and a server that
 * gives the others, word for word.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConditionError,
  ContendedError,
  isRetryable,
  PassepartoutError,
  ProtocolError,
  UnavailableError,
} from '../../../lib/core/base/errors.ts';
import { embeddedDynamoClient } from '../../../lib/core/store/clients.ts';
import { equals, IS_NEW } from '../../../lib/core/store/condition.ts';
import { buildTable, type Table } from '../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';

const TYPE = 'com.amazonaws.dynamodb.v20120810#';
let answer: object = {};
let server: Server;
let refusing: Table;
let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
  server = createServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  refusing = buildTable(embeddedDynamoClient(`http://127.0.0.1:${port}`, 'us-east-1', dynamo.credentials), 'table');
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await dynamo?.stop();
});

const KEY = { pk: 'a', sk: 'b' };
const OTHER = { pk: 'a', sk: 'c' };
const failureOf = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => 'no failure',
    (error: unknown) => error,
  );

/** Gives the error of a transaction of three writes that ends with these codes. */
const cancelled = (...codes: readonly string[]): Promise<unknown> => {
  answer = {
    __type: `${TYPE}TransactionCanceledException`,
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    CancellationReasons: codes.map((Code) => (Code === 'None' ? { Code } : { Code, Message: `it is ${Code}` })),
  };
  const isOpen = { name: 'is open', holds: equals('state', 'open') };
  return failureOf(
    refusing.transact([
      { kind: 'put', key: KEY, item: {}, condition: IS_NEW },
      { kind: 'update', key: OTHER, change: { add: { n: 1 } }, condition: isOpen },
      { kind: 'put', key: { pk: 'a', sk: 'd' }, item: {} },
    ]),
  );
};

describe('a cancelled transaction', () => {
  it.each([
    [
      'names the condition that failed',
      ['None', 'ConditionalCheckFailed', 'None'],
      ConditionError,
      'condition "is open" did not hold',
    ],
    [
      'a condition counts before a conflict',
      ['ConditionalCheckFailed', 'TransactionConflict', 'None'],
      ConditionError,
      'condition "is new" did not hold',
    ],
    [
      'is a lost race',
      ['None', 'TransactionConflict', 'None'],
      ContendedError,
      'Another change reached an item of this transaction first. Try again.',
    ],
    [
      'met too many requests',
      ['ThrottlingError', 'None', 'None'],
      UnavailableError,
      'The table did not answer. Try again later.',
    ],
    [
      'met too many requests',
      ['None', 'ProvisionedThroughputExceeded', 'None'],
      UnavailableError,
      'The table did not answer. Try again later.',
    ],
    [
      'is refused for good',
      ['None', 'ItemCollectionSizeLimitExceeded', 'None'],
      PassepartoutError,
      'the table refuses this transaction for good (ItemCollectionSizeLimitExceeded)',
    ],
    [
      'is refused for good',
      ['ValidationError', 'TransactionConflict', 'None'],
      PassepartoutError,
      'the table refuses this transaction for good (ValidationError)',
    ],
    [
      'is refused for good',
      ['None', 'None', 'AccessDenied'],
      PassepartoutError,
      'the table refuses this transaction for good (AccessDenied)',
    ],
  ])('%s: %j', async (_what, codes, kind, message) => {
    const error = await cancelled(...codes);
    expect(error).toBeInstanceOf(kind);
    expect(error).toHaveProperty('message', message);
    expect(isRetryable(error)).toBe(kind === ContendedError || kind === UnavailableError);
  });
});

const SIZE = 450 * 1024;
const LARGE = 'x'.repeat(SIZE);
const HALF = 'x'.repeat(SIZE / 2);

describe('an item larger than the table takes', () => {
  it.each<[string, (table: Table) => Promise<unknown>]>([
    ['put', (table) => table.put(KEY, { text: LARGE })],
    ['put of something new', (table) => table.put(KEY, { text: LARGE }, IS_NEW)],
    ['updated', (table) => table.update(OTHER, { set: { more: HALF } })],
    ['put in a transaction', (table) => table.transact([{ kind: 'put', key: KEY, item: { text: LARGE } }])],
    [
      'updated in a transaction',
      (table) => table.transact([{ kind: 'update', key: OTHER, change: { set: { more: HALF } } }]),
    ],
  ])('is refused in one sentence: %s', async (_what, write) => {
    await dynamo.table.put(OTHER, { text: HALF });
    const error = await failureOf(write(dynamo.table));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toHaveProperty('message', 'an item would be larger than the 400 KB the table takes');
  });

  it('is told apart from any other fault of a request, which stays what it is', async () => {
    answer = { __type: `${TYPE}ValidationException`, message: 'Invalid UpdateExpression: Syntax error' };
    const error = await failureOf(refusing.update(KEY, { set: { a: 1 } }));
    expect(error).toHaveProperty('name', 'ValidationException');
    expect(error).not.toBeInstanceOf(PassepartoutError);
  });
});
