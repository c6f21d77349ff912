/**
 * DynamoDB's operations over one file or memory, one at a time. Requests that came together share
 * one transaction and are answered after it is in the log. A refused request has written nothing.
 */
import { readJson } from '../../../lib/base/json.ts';
import { dynamoError, readInput, serialization, TableError, TableName, UpdateTable, unauthorized } from './inputs.ts';
import { batchGet, getItem, query, type ReadContext, scan } from './read-operations.ts';
import { type Storage, transact } from './storage.ts';
import { addIndexes, createTable, getTable, openTables, type Table } from './tables.ts';
import { deleteItem, putItem, transactWrite, updateItem, type WriteContext } from './write-operations.ts';

/** Faults that DynamoDB documents and that are rare; for tests. */
export interface Switches {
  /** Index reads do not see writes younger than this. */
  readonly indexDelayMs?: number;
  /** Whether a batch leaves the key at this position unprocessed. */
  readonly isLeftOut?: (position: number) => boolean;
  readonly isThrottled?: (action: string) => boolean;
}

export interface EngineOptions {
  readonly storage: Storage;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly switches?: Switches;
}

export interface EngineRequest {
  /** `PutItem` … */
  readonly action: string;
  readonly body: string;
}

export interface EngineAnswer {
  readonly status: number;
  readonly body: string;
}

export interface Engine {
  /** Answers in the order of the requests. @throws what SQLite throws; nothing was written then */
  readonly run: (requests: readonly EngineRequest[]) => readonly EngineAnswer[];
}

const describe = ({ definition }: Table): object => ({ ...definition, TableStatus: 'ACTIVE' });

const READS: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'DescribeTable']);

export const hasWrites = (requests: readonly Pick<EngineRequest, 'action'>[]): boolean =>
  requests.some(({ action }) => !READS.has(action));

export const answerError = (error: TableError): EngineAnswer => ({
  status: error.status,
  body: JSON.stringify({ __type: error.type, message: error.message, ...error.fields }),
});

interface EngineContext extends ReadContext, WriteContext {
  readonly storage: Storage;
  readonly switches: Switches;
  /** Changes of indexes that wait, oldest first: a switch for tests. */
  readonly delayed: { readonly at: number; readonly change: () => void }[];
}

const OPERATIONS: Readonly<Record<string, (engine: EngineContext, body: unknown) => string | object>> = {
  GetItem: getItem,
  BatchGetItem: batchGet,
  Query: query,
  Scan: scan,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  TransactWriteItems: transactWrite,
  CreateTable: ({ tables }, body) => ({ TableDescription: describe(createTable(tables, body)) }),
  DescribeTable: ({ tables }, body) => ({
    Table: describe(getTable(tables, readInput(TableName, 'DescribeTable', body).TableName)),
  }),
  UpdateTable: ({ tables }, body) => {
    const input = readInput(UpdateTable, 'UpdateTable', body);
    const indexes = input.GlobalSecondaryIndexUpdates.map(({ Create }) => Create);
    return { TableDescription: describe(addIndexes(tables, input.TableName, input.AttributeDefinitions, indexes)) };
  },
  // Expired items stay: DynamoDB deletes them days late, and every reader judges expiry itself.
  UpdateTimeToLive: ({ tables }, body) => {
    getTable(tables, readInput(TableName, 'UpdateTimeToLive', body).TableName);
    return {};
  },
};

const parseBody = (body: string): unknown => {
  const value = readJson(body);
  if (value === undefined) throw serialization('the body is not JSON');
  return value;
};

const answer = (engine: EngineContext, { action, body }: EngineRequest): EngineAnswer => {
  try {
    const operation = Object.hasOwn(OPERATIONS, action) ? OPERATIONS[action] : undefined;
    if (operation === undefined) throw unauthorized('UnknownOperationException', `${action} is not implemented here`);
    if (engine.switches.isThrottled?.(action) === true)
      throw dynamoError('ThrottlingException', 'Rate exceeded: a switch for tests');
    const result = operation(engine, parseBody(body));
    return { status: 200, body: typeof result === 'string' ? result : JSON.stringify(result) };
  } catch (error) {
    if (error instanceof TableError) return answerError(error);
    throw error;
  }
};

const run = (engine: EngineContext, requests: readonly EngineRequest[]): readonly EngineAnswer[] => {
  const { storage, delayed, now, undo } = engine;
  const answerAll = () => requests.map((request) => answer(engine, request));
  if (!hasWrites(requests) && delayed.length === 0) return answerAll();
  undo.length = 0;
  try {
    return transact(storage, () => {
      while (delayed[0] !== undefined && delayed[0].at <= now()) delayed.shift()?.change();
      return answerAll();
    });
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
};

export const buildEngine = ({ storage, now, switches = {} }: EngineOptions): Engine => {
  const { indexDelayMs, isLeftOut = () => false } = switches;
  const delayed: EngineContext['delayed'] = [];
  const tables = openTables(storage, (change) => {
    if (indexDelayMs === undefined) change();
    else delayed.push({ at: now() + indexDelayMs, change });
  });
  const transactions: WriteContext['transactions'] = new Map();
  const engine: EngineContext = { storage, tables, switches, isLeftOut, now, delayed, transactions, undo: [] };
  return { run: (requests) => run(engine, requests) };
};
