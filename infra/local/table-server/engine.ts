/**
 * DynamoDB's operations over one file or memory, without a network. Takes the name and input of an
 * operation and gives its answer as JSON, one at a time. Requests that came together share one
 * SQLite transaction and are answered after it is in the log. A refused request has written
 * nothing, and a failing disk undoes all of them.
 */
import { dynamoError, readInput, serialization, TableError, TableName, UpdateTable, unauthorized } from './inputs.ts';
import { buildReadOperations } from './read-operations.ts';
import type { Storage } from './storage.ts';
import { openTables, type Table } from './tables.ts';
import { buildWriteOperations } from './write-operations.ts';

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

export const buildEngine = ({ storage, now, switches = {} }: EngineOptions): Engine => {
  const delayed: { readonly at: number; readonly change: () => void }[] = [];
  const { indexDelayMs } = switches;
  const changeIndex = (change: () => void): void => {
    if (indexDelayMs === undefined) change();
    else delayed.push({ at: now() + indexDelayMs, change });
  };
  const settleIndexes = (): void => {
    while (delayed[0] !== undefined && delayed[0].at <= now()) delayed.shift()?.change();
  };
  const tables = openTables(storage, changeIndex);
  const reads = buildReadOperations(storage, tables, switches.isLeftOut ?? (() => false));
  let undo: (() => void)[] = [];
  const writes = buildWriteOperations(tables, now, (step) => undo.push(step));

  const operations: Readonly<Record<string, (body: unknown) => string | object>> = {
    GetItem: reads.get,
    BatchGetItem: reads.batchGet,
    Query: reads.query,
    Scan: reads.scan,
    PutItem: writes.put,
    UpdateItem: writes.update,
    DeleteItem: writes.remove,
    TransactWriteItems: writes.transact,
    CreateTable: (body) => ({ TableDescription: describe(tables.create(body)) }),
    DescribeTable: (body) => ({ Table: describe(tables.get(readInput(TableName, 'DescribeTable', body).TableName)) }),
    UpdateTable: (body) => {
      const input = readInput(UpdateTable, 'UpdateTable', body);
      const indexes = input.GlobalSecondaryIndexUpdates.map(({ Create }) => Create);
      return { TableDescription: describe(tables.addIndexes(input.TableName, input.AttributeDefinitions, indexes)) };
    },
    // Expired items stay: DynamoDB deletes them days late, and every reader judges expiry itself.
    UpdateTimeToLive: (body) => {
      tables.get(readInput(TableName, 'UpdateTimeToLive', body).TableName);
      return {};
    },
  };

  const parse = (body: string): unknown => {
    try {
      return JSON.parse(body);
    } catch {
      throw serialization('the body is not JSON');
    }
  };

  const answer = ({ action, body }: EngineRequest): EngineAnswer => {
    try {
      const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
      if (operation === undefined) throw unauthorized('UnknownOperationException', `${action} is not implemented here`);
      if (switches.isThrottled?.(action) === true)
        throw dynamoError('ThrottlingException', 'Rate exceeded: a switch for tests');
      const result = operation(parse(body));
      return { status: 200, body: typeof result === 'string' ? result : JSON.stringify(result) };
    } catch (error) {
      if (error instanceof TableError) return answerError(error);
      throw error;
    }
  };

  return {
    run: (requests) => {
      const answerAll = () => requests.map(answer);
      if (!hasWrites(requests) && delayed.length === 0) return answerAll();
      undo = [];
      try {
        return storage.transact(() => {
          settleIndexes();
          return answerAll();
        });
      } catch (error) {
        for (const step of undo) step();
        throw error;
      }
    },
  };
};
