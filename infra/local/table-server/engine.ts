/**
 * DynamoDB's operations over one file or memory, one at a time. Requests that came together share
 * one transaction and are answered after it is in the log. A refused request has written nothing.
 */
import { readJson } from '../../../lib/core/base/json.ts';
import { readInput, serialization, TableError, TableName, UpdateTable, unauthorized } from './inputs.ts';
import { batchGet, getItem, query, scan } from './read-operations.ts';
import { type Storage, transact } from './storage.ts';
import { addIndexes, createTable, getTable, openTables, type Table } from './tables.ts';
import { deleteItem, putItem, transactWrite, updateItem, type WriteContext } from './write-operations.ts';

export interface EngineOptions {
  readonly storage: Storage;
  /** Epoch milliseconds. */
  readonly now: () => number;
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

const OPERATIONS: Readonly<Record<string, (engine: WriteContext, body: unknown) => string | object>> = {
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

const answer = (engine: WriteContext, { action, body }: EngineRequest): EngineAnswer => {
  try {
    const operation = Object.hasOwn(OPERATIONS, action) ? OPERATIONS[action] : undefined;
    if (operation === undefined) throw unauthorized('UnknownOperationException', `${action} is not implemented here`);
    const result = operation(engine, parseBody(body));
    return { status: 200, body: typeof result === 'string' ? result : JSON.stringify(result) };
  } catch (error) {
    if (error instanceof TableError) return answerError(error);
    throw error;
  }
};

const run = (engine: WriteContext, requests: readonly EngineRequest[]): readonly EngineAnswer[] => {
  const { tables, undo } = engine;
  const answerAll = () => requests.map((request) => answer(engine, request));
  if (!hasWrites(requests)) return answerAll();
  undo.length = 0;
  try {
    return transact(tables.storage, answerAll);
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
};

export const buildEngine = ({ storage, now }: EngineOptions): Engine => {
  const engine: WriteContext = { tables: openTables(storage), now, transactions: new Map(), undo: [] };
  return { run: (requests) => run(engine, requests) };
};
