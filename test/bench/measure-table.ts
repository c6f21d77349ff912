/**
 * The embedded table server beside dynoxide, where that is installed: requests a second of each
 * operation and of the mix of a plain turn, both on a file, in processes of their own, driven in
 * turns by the same requests. They are written and signed before, so that no client's time is
 * measured. And plain Telegram turns of two stacks, one on each. Ratios are of medians over the
 * rounds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callDynamo, type TableAccess } from '../../infra/local/database.ts';
import { signRequest } from '../../infra/local/table-server/signature.ts';
import { findReference, startReference } from '../local/table-server/compare-servers.ts';
import { DEFINITION, TABLE } from '../local/table-server/random-operations.ts';
import { type StackChild, startModel, startStackChild, startWords } from './children.ts';
import { quantile } from './drive.ts';
import { startChats } from './drive-chats.ts';
import type { Measure, MeasureContext } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S } from './measure-turns.ts';
import { driveRaw } from './raw-client.ts';
import type { Row } from './report.ts';

/** As many as work at a time in a stack of some conversations. */
const CONNECTIONS = 8;
const ROUNDS = 5;
const REQUESTS_MAX = 5_000;
const ROUND_MS = 500;
const RATIO_MIN = 2;
const ITEMS = 500;

type Operation = readonly [action: string, input: (n: number) => object];

const key = (n: number) => ({ pk: { S: `signal#default#${n % ITEMS}` }, sk: { S: 'record' } });
/** About as large as the record of a plain turn. */
const item = (n: number) => ({
  ...key(n),
  state: { S: 'received' },
  count: { N: `${n}` },
  feedSpace: { S: 'feed#default' },
  feedAt: { N: `${n % ITEMS}` },
  payload: { M: { sensor: { S: 'chat-message' }, text: { S: 'did the backup run last night? '.repeat(10) } } },
  actions: { L: Array.from({ length: 6 }, (_, at) => ({ M: { id: { S: `${n}#${at}` }, at: { N: `${at}` } } })) },
});
const updateOf = (n: number) => ({
  TableName: TABLE,
  Key: key(n),
  UpdateExpression: 'SET #state = :state, #token = :token ADD #count :one',
  ConditionExpression: 'attribute_exists(#pk) AND (#state = :before OR #state = :state)',
  ExpressionAttributeNames: { '#state': 'state', '#token': 'token', '#count': 'count', '#pk': 'pk' },
  ExpressionAttributeValues: {
    ':state': { S: 'reasoned' },
    ':before': { S: 'received' },
    ':token': { S: `token-${n}` },
    ':one': { N: '1' },
  },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});
const get: Operation = ['GetItem', (n) => ({ TableName: TABLE, Key: key(n), ConsistentRead: true })];
const put: Operation = ['PutItem', (n) => ({ TableName: TABLE, Item: item(n) })];
const update: Operation = ['UpdateItem', (n) => ({ ...updateOf(n), ReturnValues: 'ALL_NEW' })];
const batchGet: Operation = [
  'BatchGetItem',
  (n) => ({
    RequestItems: { [TABLE]: { Keys: Array.from({ length: 8 }, (_, at) => key(n + at)), ConsistentRead: true } },
  }),
];
const query: Operation = [
  'Query',
  (n) => ({
    TableName: TABLE,
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :sk)',
    ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
    ExpressionAttributeValues: { ':pk': key(n).pk, ':sk': { S: 'rec' } },
    ConsistentRead: true,
  }),
];
const transact: Operation = [
  'TransactWriteItems',
  (n) => ({
    TransactItems: [
      { Put: { TableName: TABLE, Item: item(n) } },
      { Update: updateOf(n + 1) },
      { ConditionCheck: { TableName: TABLE, Key: key(n + 2), ConditionExpression: 'attribute_exists(pk)' } },
    ],
  }),
];

/** A plain console turn's requests, as `count-turn.ts` counts them. */
const TURN: readonly Operation[] = [put, batchGet, update, batchGet, update, put, update, get, update, update];
const SETS: Readonly<Record<string, readonly Operation[]>> = {
  'the mix of a plain turn': TURN,
  get: [get],
  'batch get of 8': [batchGet],
  query: [query],
  put: [put],
  update: [update],
  'transaction of 3': [transact],
};

const writeRequest = ({ endpoint, credentials }: TableAccess, [action, input]: Operation, n: number): Buffer => {
  const body = Buffer.from(JSON.stringify(input(n)));
  const signed = signRequest(
    credentials,
    {
      service: 'dynamodb',
      host: new URL(endpoint).host,
      region: 'us-east-1',
      target: `DynamoDB_20120810.${action}`,
      date: '20261122T120000Z',
    },
    body,
  );
  const headers = { ...signed, 'content-type': 'application/x-amz-json-1.0', 'content-length': `${body.length}` };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
};

interface Side {
  readonly access: TableAccess;
  readonly stop: () => Promise<void>;
}

const startOwn = async (file: string): Promise<Side> => {
  const child = fork(fileURLToPath(new URL('table-process.ts', import.meta.url)), [file], {
    execArgv: [...startWords().flags],
  });
  const [access] = (await once(child, 'message')) as [TableAccess];
  return {
    access,
    stop: async () => {
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};

const startTheirs = async (program: string, file: string): Promise<Side> => {
  const { endpoint, stop } = await startReference(program, file);
  return { access: { endpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }, stop };
};

/** Requests a second of one set on one server. */
const drive = async ({ access }: Side, operations: readonly Operation[], round: number): Promise<number> => {
  const requests = Array.from({ length: REQUESTS_MAX }, (_, n) => {
    const operation = operations[n % operations.length];
    if (operation === undefined) throw new Error('an empty set');
    return writeRequest(access, operation, round * REQUESTS_MAX + n);
  });
  let sent = 0;
  const until = performance.now() + ROUND_MS;
  const next = () => (performance.now() < until ? requests[sent++] : undefined);
  return (await driveRaw(access.endpoint, CONNECTIONS, next)).perSecond;
};

const prepare = async ({ access }: Side): Promise<void> => {
  await callDynamo(access, 'CreateTable', DEFINITION);
  for (let n = 0; n < ITEMS; n += 1) await callDynamo(access, 'PutItem', { TableName: TABLE, Item: item(n) });
};

const measureRequests: Measure = async ({ scratch, progress }) => {
  const folder = mkdtempSync(join(scratch, 'table-'));
  const program = findReference();
  if (program === undefined) progress('table: dynoxide is not installed');
  const own = await startOwn(join(folder, 'table.sqlite'));
  const theirs = program === undefined ? undefined : await startTheirs(program, join(folder, 'table.db'));
  const sides = [own, ...(theirs === undefined ? [] : [theirs])];
  try {
    for (const side of sides) await prepare(side);
    const rows: Row[] = [];
    for (const [name, operations] of Object.entries(SETS)) {
      progress(`table: ${name}`);
      const results = sides.map((): number[] => []);
      for (const side of sides) await drive(side, operations, 0);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [n, side] of sides.entries()) results[n]?.push(await drive(side, operations, round + 1));
      const [mine = 0, its] = results.map((list) => quantile(list, 0.5));
      const group = `table server: requests a second, ${CONNECTIONS} at a time, against dynoxide`;
      if (its === undefined) rows.push({ group, name, value: mine, unit: '/s' });
      else {
        const note = `${mine.toFixed(0)} and ${its.toFixed(0)} a second`;
        rows.push({ group, name, value: mine / its, unit: '×', goal: { is: '≥', value: RATIO_MIN }, note });
      }
    }
    return rows;
  } finally {
    for (const side of sides) await side.stop();
  }
};

const CHATS_MAX = 50;
const TURN_LOADS = [
  { chats: 1, turns: 40, maxMs: 6_000 },
  { chats: CHATS_MAX, turns: 300, maxMs: 5_000 },
] as const;
const TURN_WARM_UP = { chats: CHATS_MAX, turns: 600, maxMs: 10_000 } as const;
const TURN_RATIO_MAX = 0.7;

const measureAnswers = async (
  { scratch, cacheDir, progress }: MeasureContext,
  reference: string,
): Promise<readonly Row[]> => {
  const model = await startModel();
  const chats = await startChats();
  const start = (name: string, more: object = {}) =>
    startStackChild({
      dataDir: mkdtempSync(join(scratch, `${name}-`)),
      cacheDir,
      heartbeatIntervalSeconds: NO_HEARTBEAT_S,
      environment: { ...modelSettings(model.baseUrl), ...chats.settings(CHATS_MAX) },
      ...more,
    });
  const stacks: StackChild[] = [];
  try {
    stacks.push(await start('own'), await start('dynoxide', { dynamodbEndpoint: reference }));
    for (const { url } of stacks) await chats.drive({ url, ...TURN_WARM_UP });
    const rows: Row[] = [];
    for (const load of TURN_LOADS) {
      progress(`table: turns, ${load.chats} at a time`);
      const medians = stacks.map((): number[] => []);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [n, { url }] of stacks.entries())
          medians[n]?.push(quantile((await chats.drive({ url, ...load })).turnMs, 0.5));
      const [own = 0, theirs = 1] = medians.map((list) => quantile(list, 0.5));
      rows.push({
        group: 'table server: from a Telegram message to its answer, p50 against a stack on dynoxide',
        name: `${load.chats} conversation${load.chats === 1 ? '' : 's'}`,
        value: own / theirs,
        unit: '×',
        goal: { is: '≤', value: TURN_RATIO_MAX },
        note: `${own.toFixed(1)} and ${theirs.toFixed(1)} ms`,
      });
    }
    return rows;
  } finally {
    for (const stack of stacks) await stack.close();
    chats.close();
    await model.close();
  }
};

export const measureTable: Measure = async (context) => {
  const requests = await measureRequests(context);
  const program = findReference();
  if (program === undefined) return requests;
  const { endpoint, stop } = await startReference(
    program,
    join(mkdtempSync(join(context.scratch, 'turns-')), 'table.db'),
  );
  try {
    return [...requests, ...(await measureAnswers(context, endpoint))];
  } finally {
    await stop();
  }
};
