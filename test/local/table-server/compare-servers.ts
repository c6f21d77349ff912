/**
 * Random operations on the embedded engine and on the reference server (dynoxide, where it is
 * installed), each answer compared: status, error type, returned rows, cursors, counts and
 * cancellation reasons. `node test/local/table-server/compare-servers.ts [operations] [seed]` runs
 * many and prints the differences.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { buildEngine, type EngineAnswer } from '../../../infra/local/table-server/engine.ts';
import { IN_MEMORY, openStorage } from '../../../infra/local/table-server/storage.ts';
import { freePort } from '../../support/listening.ts';
import { buildOperations, DEFINITION, type Operation } from './random-operations.ts';

type Send = (operation: Operation) => Promise<EngineAnswer>;

export interface Difference {
  readonly operation: Operation;
  readonly own: string;
  readonly reference: string;
}

/** The reference server's program; undefined where its package is not installed. */
export const findReference = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  } catch {
    return undefined;
  }
};

const CREDENTIAL = 'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request';

export const startReference = async (
  program: string,
  file?: string,
): Promise<{ readonly send: Send; readonly endpoint: string; readonly stop: () => Promise<void> }> => {
  const port = await freePort();
  const words = [
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    ...(file === undefined ? [] : ['--db-path', file]),
  ];
  const child: ChildProcess = spawn(program, words, { stdio: 'ignore' });
  const agent = new Agent({ keepAlive: true });
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-date': '20200101T000000Z',
    authorization: `${CREDENTIAL}, SignedHeaders=host, Signature=0`,
  };
  const send: Send = ({ action, input }) =>
    new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${action}` },
      };
      const sent = request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
      });
      sent.on('error', reject).end(JSON.stringify(input));
    });
  for (let tries = 0; tries < 500; tries += 1) {
    try {
      await send({ action: 'ListTables', input: {} });
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const stop = async () => {
    agent.destroy();
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { send, endpoint: `http://127.0.0.1:${port}`, stop };
};

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
/** Sets have no order, objects neither. */
const normalize = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) {
    const list = value.map((each) => normalize(each));
    return ['SS', 'NS', 'BS'].includes(name) ? list.sort(byText) : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, normalize(each, key)]));
};

type Body = Record<string, unknown> & { readonly CancellationReasons?: readonly Record<string, unknown>[] };

/** An answer without what the two may word or order differently. */
export const comparable = (action: string, { status, body }: EngineAnswer): unknown => {
  const { message, Message, __type, ...rest } = JSON.parse(body === '' ? '{}' : body) as Body;
  const type = typeof __type === 'string' ? __type.slice(__type.lastIndexOf('#') + 1) : undefined;
  const reasons = rest.CancellationReasons?.map(({ Message: _, ...reason }) => reason);
  const plain = normalize({ ...rest, ...(reasons === undefined ? {} : { CancellationReasons: reasons }) }) as Body;
  const { Responses, Items } = plain as { Responses?: Record<string, unknown[]>; Items?: unknown[] };
  for (const items of Object.values(Responses ?? {})) items.sort(byText);
  // A scan has no order: of one that ends within its page, only the rows are the same.
  if (action === 'Scan' && 'LastEvaluatedKey' in plain) return { status };
  if (action === 'Scan') Items?.sort(byText);
  return { status, type, ...plain };
};

/**
 * Both refuse and neither writes, but for another of the request's faults: one judges conditions
 * first, or names a fault of the request itself as the reason of a cancelled transaction.
 */
const isOtherRefusal = (own: EngineAnswer, theirs: EngineAnswer): boolean =>
  own.status === 400 &&
  theirs.status === 400 &&
  (/unused in expressions|part of the key|Type mismatch for Index Key/.test(own.body) ||
    theirs.body.includes('to update a secondary index key to a value that is not supported'));

/** Removal of an element of a missing list, and a page that begins outside of its condition. */
const REFUSED_BY_DYNAMODB = /The document path .* is invalid for update|does not match the range key predicate/;

export interface Comparison {
  readonly operations: number;
  readonly byOutcome: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

/** @throws Error when the reference does not answer */
export const compareServers = async (
  program: string,
  count: number,
  seed: number,
  differencesMax = 5,
): Promise<Comparison> => {
  const reference = await startReference(program);
  const engine = buildEngine({ storage: openStorage(IN_MEMORY), now: Date.now });
  const next = buildOperations(seed);
  const differences: Difference[] = [];
  const byOutcome: Record<string, number> = {};
  let operations = 0;
  try {
    const create: Operation = { action: 'CreateTable', input: DEFINITION };
    engine.run([{ action: create.action, body: JSON.stringify(DEFINITION) }]);
    await reference.send(create);
    for (; operations < count && differences.length < differencesMax; operations += 1) {
      const operation = next();
      const [own] = engine.run([{ action: operation.action, body: JSON.stringify(operation.input) }]);
      if (own === undefined) throw new Error('the engine gave no answer');
      if (REFUSED_BY_DYNAMODB.test(own.body)) continue;
      const theirs = await reference.send(operation);
      const [mine, its] = [comparable(operation.action, own), comparable(operation.action, theirs)];
      const type = (mine as { type?: string }).type ?? 'done';
      byOutcome[`${operation.action} ${type}`] = (byOutcome[`${operation.action} ${type}`] ?? 0) + 1;
      if (!isDeepStrictEqual(mine, its) && !isOtherRefusal(own, theirs))
        differences.push({ operation, own: own.body, reference: theirs.body });
    }
    return { operations, byOutcome, differences };
  } finally {
    await reference.stop();
  }
};

if (process.argv[1] === import.meta.filename) {
  const program = findReference();
  if (program === undefined) throw new Error(`there is no reference server for ${process.platform}-${process.arch}`);
  const [count = 200_000, seed = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
  const { operations, byOutcome, differences } = await compareServers(program, count, seed);
  console.log(`${operations} operations, seed ${seed}, ${differences.length} differences`);
  for (const [outcome, times] of Object.entries(byOutcome).sort()) console.log(`  ${outcome} ${times}`);
  for (const { operation, own, reference } of differences)
    console.log(
      `${JSON.stringify(operation).slice(0, 1500)}\n  own       ${own.slice(0, 700)}\n  reference ${reference.slice(0, 700)}`,
    );
}
