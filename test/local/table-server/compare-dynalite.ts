/**
 * The tests of dynalite, another implementation of DynamoDB, as a comparison: each answer that
 * dynalite gives to its own tests is compared with that of the embedded engine, without messages.
 * `node test/local/table-server/compare-dynalite.ts --suite <folder>` takes a checkout of
 * github.com/architect/dynalite after `npm install`; its npm package has no tests. Exits 1 if a
 * test differs for no known reason.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { buildEngine, type EngineAnswer } from '../../../infra/local/table-server/engine.ts';
import { IN_MEMORY, openStorage } from '../../../infra/local/table-server/storage.ts';
import { comparable } from './compare-servers.ts';

type Fields = Record<string, unknown>;

/** Operations of both, by the files of the suite that test them. */
const FILES = ['getItem', 'batchGetItem', 'putItem', 'updateItem', 'deleteItem', 'query', 'scan'];
const COMPARED = new Set(FILES.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`));

/** Why answers differ, by what the engine's answer or the test's name says. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/is not implemented by the embedded table server/, 'ask for what the engine refuses by name'],
  [/'ReturnValues' of UpdateItem/, 'ask an update for other values than the new item, which the engine refuses'],
  [/ResourceNotFoundException|table exists before/, 'want that a table is not there yet, which the engine has'],
  [/index: index[12]/, 'read a local secondary index, which the engine does not have'],
  [/scan with no filter/, 'read items of tests whose writes the engine refuses'],
];

interface Difference {
  readonly action: string;
  readonly body: string;
  readonly own: EngineAnswer;
  readonly theirs: EngineAnswer;
}

const engine = buildEngine({ storage: openStorage(IN_MEMORY), now: Date.now });
const runOwn = (action: string, body: string): EngineAnswer =>
  engine.run([{ action, body }])[0] ?? { status: 0, body: '' };

/** The engine's indexes hold keys only, and it knows none that shares the table's hash key. */
const createOwn = ({ TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] }: Fields): void => {
  const indexes = (GlobalSecondaryIndexes as Fields[]).map((index) => ({
    ...index,
    Projection: { ProjectionType: 'KEYS_ONLY' },
  }));
  const own = { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes: indexes };
  runOwn('CreateTable', JSON.stringify(own));
};

/** What tests begin with. The engine has no such operation. @returns its refusals */
const writeOwn = ({ RequestItems }: Fields): readonly EngineAnswer[] =>
  Object.entries(RequestItems as Record<string, Record<string, Fields>[]>)
    .flatMap(([TableName, requests]) =>
      requests.map(({ PutRequest, DeleteRequest }) =>
        runOwn(PutRequest ? 'PutItem' : 'DeleteItem', JSON.stringify({ TableName, ...PutRequest, ...DeleteRequest })),
      ),
    )
    .filter(({ status }) => status !== 200);

/** Nobody asks the engine what a request costs. */
const withoutCosts = (body: string): string => {
  try {
    const { ReturnConsumedCapacity, ConsumedCapacity, ReturnItemCollectionMetrics, ...rest } = JSON.parse(body);
    const isWord = [ReturnConsumedCapacity, ReturnItemCollectionMetrics].every((one) =>
      [undefined, 'NONE', 'TOTAL', 'INDEXES', 'SIZE'].includes(one),
    );
    return isWord ? JSON.stringify(rest) : body;
  } catch {
    return body;
  }
};

const compare = (action: string, body: string, theirs: EngineAnswer): readonly Difference[] => {
  if (theirs.status === 200 && action === 'CreateTable') createOwn(JSON.parse(body));
  if (theirs.status === 200 && action === 'BatchWriteItem')
    return writeOwn(JSON.parse(body)).map((own) => ({ action, body, own, theirs }));
  if (!COMPARED.has(action)) return [];
  const own = runOwn(action, withoutCosts(body));
  const answer = { ...theirs, body: withoutCosts(theirs.body) };
  return isDeepStrictEqual(comparable(action, own), comparable(action, answer))
    ? []
    : [{ action, body, own, theirs: answer }];
};

/** Gives what a server is asked and answers, in the order of the answers. */
const listen = (server: Server, heard: (action: string, body: string, answer: EngineAnswer) => void): Server => {
  const [handle] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  return server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const end = response.end.bind(response) as (body: unknown) => ServerResponse;
    response.end = (answer?: unknown) => {
      const action = String(request.headers['x-amz-target']).replace('DynamoDB_20120810.', '');
      heard(action, Buffer.concat(chunks).toString(), { status: response.statusCode, body: String(answer ?? '') });
      return end(answer);
    };
    handle?.(request, response);
  });
};

/** The reason why a test differs; undefined if it is not known. */
const reasonOf = (title: string, differences: readonly Difference[]): string | undefined => {
  const words = `${title}\n${differences.map(({ own, body }) => `${own.body} ${body}`).join('\n')}`;
  const known = KNOWN.find(([pattern]) => pattern.test(words))?.[1];
  const isRefused = differences.every(({ own, theirs }) => own.status === 400 && theirs.status === 400);
  return known ?? (isRefused ? 'are refused by both, for another of the faults of the request' : undefined);
};

// Tests of faulty requests name tables that are not there, and so have two faults.
for (const TableName of ['abc', 'aaa'])
  createOwn({
    TableName,
    KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
  });

const { values } = parseArgs({ options: { suite: { type: 'string' }, only: { type: 'string' } } });
if (values.suite === undefined) throw new Error('give --suite <folder>, a checkout of dynalite after npm install');
const folder = resolve(values.suite);
const load = createRequire(join(folder, 'package.json'));
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });

let title = '';
const found = new Map<string, Difference[]>();
const dynalite = load(folder) as (options: object) => Server;
const watched = (options: object): Server =>
  listen(dynalite(options), (action, body, answer) => {
    const differences = compare(action, body, answer);
    found.get(title)?.push(...differences);
  });
const loaded = load.cache[load.resolve(folder)];
if (loaded === undefined) throw new Error(`${folder} has no dynalite`);
loaded.exports = watched;

load('should');
const Mocha = load('mocha');
const mocha = new Mocha({ timeout: 30_000, reporter: class {} });
const names = values.only?.split(',') ?? FILES;
for (const name of ['helpers', ...names]) mocha.addFile(join(folder, 'test', `${name}.js`));
const runner = mocha.run(() => {
  const differing = [...found].filter(([, differences]) => differences.length > 0);
  const reasons = new Map<string, number>();
  let unknown = 0;
  for (const [name, differences] of differing) {
    const reason = reasonOf(name, differences);
    reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1);
    if (reason !== undefined) continue;
    unknown += 1;
    console.log(name);
    for (const { action, body, own, theirs } of differences.slice(0, 2))
      console.log(
        `  ${action} ${body.slice(0, 300)}\n    own      ${own.body.slice(0, 300)}\n    dynalite ${theirs.body.slice(0, 300)}`,
      );
  }
  console.log(`${found.size} tests: ${found.size - differing.length} with equal answers, ${differing.length} differ`);
  for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a))
    console.log(`  ${count} ${reason === '' ? 'for no known reason (listed above)' : reason}`);
  process.exit(unknown > 0 ? 1 : 0);
});
runner.on('test', (test: { fullTitle: () => string }) => {
  title = test.fullTitle();
  found.set(title, []);
});
