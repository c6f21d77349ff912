/**
 * The AWS services behind the clients: the embedded table engine in memory and the model of SQS,
 * with the faults the services document around them, below the SDK's own retries.
 */
import { buildEngine, type Engine } from '../../../infra/local/table-server/engine.ts';
import { IN_MEMORY, openStorage } from '../../../infra/local/table-server/storage.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import type { RowChange } from '../check/rows.ts';
import type { WireAnswer } from '../types.ts';
import type { Stream } from './random.ts';

/** Faults of a request, with weights. Kinds with `-after` come when it has been carried out. */
export const TABLE_FAULTS = {
  'connection-refused': 2,
  'answer-lost': 4,
  'error-before': 1,
  'error-after': 3,
  throttled: 1,
  conflict: 2,
  slow: 1,
  'never-answered': 1,
  'death-before': 2,
  'death-after': 4,
} as const;

export const QUEUE_FAULTS = {
  'connection-refused': 2,
  'answer-lost': 3,
  'error-after': 2,
  slow: 1,
  'death-before': 2,
  'death-after': 3,
} as const;

const HEADERS = { 'content-type': 'application/x-amz-json-1.0' };
const TYPES = 'com.amazonaws.dynamodb.v20120810#';

export const awsError = (status: number, type: string, message: string, more: object = {}): WireAnswer => ({
  status,
  headers: HEADERS,
  body: JSON.stringify({ __type: `${TYPES}${type}`, message, ...more }),
});

const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** DynamoDB's answer when another transaction works on the same item. */
export const conflictOf = (action: string, body: string): WireAnswer | undefined => {
  if (action === 'TransactWriteItems') {
    const { TransactItems }: { TransactItems: readonly unknown[] } = JSON.parse(body);
    const reasons = TransactItems.map((_, at) => (at === 0 ? { Code: 'TransactionConflict' } : { Code: 'None' }));
    return awsError(400, 'TransactionCanceledException', 'Transaction cancelled', { CancellationReasons: reasons });
  }
  if (!WRITES.has(action)) return undefined;
  return awsError(400, 'TransactionConflictException', 'Transaction is ongoing for the item');
};

export interface SimulatedTable {
  readonly run: (action: string, body: string) => WireAnswer;
  /** As DynamoDB's own expiry, which takes items away some day. */
  readonly expire: () => void;
  /** Writes a row that was there before the run. */
  readonly put: (row: Readonly<Record<string, string | number>>) => void;
  readonly nextDue: () => number | undefined;
}

interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
}

/** Unfinished things that a tick ends. */
const NEEDS_TICKS = [indexPartitions.unfinishedSignals, indexPartitions.pendingApprovals, indexPartitions.jobs];

/** Reads that may be stale: not consistent, or of an index. */
const mayBeStale = (action: string, body: string): boolean =>
  (action === 'GetItem' || action === 'Query' || action === 'BatchGetItem') && !body.includes('"ConsistentRead":true');

/** The oldest entry of a partition of the index of unfinished things. */
const firstQuery = (TableName: string, partition: string): string =>
  JSON.stringify({
    TableName,
    IndexName: 'unfinished',
    KeyConditionExpression: 'unfinishedSpace = :p',
    ExpressionAttributeValues: { ':p': { S: partition } },
    Limit: 1,
  });

export interface TableOptions {
  /** Input of CreateTable. */
  readonly definition: object;
  readonly space: string;
  readonly now: () => number;
  readonly random: Stream;
  /** How far reads may be behind; 0 for never. Each such read is as of some moment in between. */
  readonly staleMsMax: number;
  /** Whether a batch may leave keys unprocessed now. */
  readonly isLeftOut: () => boolean;
  readonly onStale: () => void;
  /** Takes each change of a row, as plain values. */
  readonly onChange?: ((change: RowChange) => void) | undefined;
}

type Row = NonNullable<RowChange['after']>;

const plainValue = (value: unknown): unknown => {
  const [[type, inside] = ['', undefined]] = Object.entries(Object(value));
  if (type === 'N') return Number(inside);
  if (type === 'L' && Array.isArray(inside)) return inside.map(plainValue);
  return type === 'M' ? plainRow(Object(inside)) : inside;
};
const plainRow = (item: object): Row =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));

/** Keys of the rows that a write names. */
const keysOf = (action: string, body: string): readonly Readonly<Record<string, AttributeValue>>[] => {
  const input = JSON.parse(body);
  if (action !== 'TransactWriteItems') return [input.Key ?? input.Item];
  return input.TransactItems.flatMap(({ Put, Update, Delete }: Record<string, { Key?: object; Item?: object }>) => {
    const write = Put ?? Update ?? Delete;
    return write === undefined ? [] : [write.Key ?? write.Item];
  });
};

/**
 * A second engine that carries out the same writes later, for stale reads: it lags behind by at
 * most `staleMsMax`.
 */
const buildReplica = ({ definition, now, random, staleMsMax }: TableOptions) => {
  const engine = newEngine(definition, now);
  const writes: { readonly at: number; readonly action: string; readonly body: string }[] = [];
  let done = 0;
  return {
    note: (action: string, body: string) => writes.push({ at: now(), action, body }),
    read: (action: string, body: string) => {
      const until = now() - random.below(staleMsMax);
      for (let next = writes[done]; next !== undefined && next.at <= until; next = writes[done]) {
        engine.run([next]);
        done += 1;
      }
      return { answer: engine.run([{ action, body }])[0], isBehind: done < writes.length };
    },
  };
};

const newEngine = (definition: object, now: () => number): Engine => {
  const engine = buildEngine({ storage: openStorage(IN_MEMORY), now });
  engine.run([{ action: 'CreateTable', body: JSON.stringify(definition) }]);
  return engine;
};

type Batch = Readonly<Record<string, { readonly Keys: readonly Named[] }>>;
type Named = Readonly<Record<'pk' | 'sk', { readonly S: string }>>;

/** The answer of a batch, with some keys unprocessed. */
const leaveOut = (request: string, answer: string, isLeftOut: () => boolean): string => {
  const { RequestItems }: { readonly RequestItems: Batch } = JSON.parse(request);
  const { Responses, UnprocessedKeys } = JSON.parse(answer);
  const nameOf = ({ pk, sk }: Named): string => `${pk.S} ${sk.S}`;
  for (const [table, { Keys, ...options }] of Object.entries(RequestItems)) {
    const left = Keys.filter(isLeftOut);
    const names = new Set(left.map(nameOf));
    Responses[table] = Responses[table].filter((item: Named) => !names.has(nameOf(item)));
    if (left.length > 0) UnprocessedKeys[table] = { Keys: left, ...options };
  }
  return JSON.stringify({ Responses, UnprocessedKeys });
};

export const buildSimulatedTable = (options: TableOptions): SimulatedTable => {
  const engine = newEngine(options.definition, options.now);
  const TableName = String(Object(options.definition).TableName);
  const replica = options.staleMsMax === 0 ? undefined : buildReplica(options);
  const rows = new Map<string, Row>();
  const tellChanges = (action: string, body: string): void => {
    if (options.onChange === undefined) return;
    for (const { pk, sk } of keysOf(action, body)) {
      const name = `${pk?.S} ${sk?.S}`;
      const get = { TableName, Key: { pk, sk }, ConsistentRead: true };
      const { Item } = JSON.parse(engine.run([{ action: 'GetItem', body: JSON.stringify(get) }])[0]?.body ?? '{}');
      const [before, after] = [rows.get(name), Item === undefined ? undefined : plainRow(Item)];
      if (after === undefined) rows.delete(name);
      else rows.set(name, after);
      options.onChange({ pk: pk?.S ?? '', sk: sk?.S ?? '', before, after });
    }
  };
  const run = (action: string, body: string): WireAnswer => {
    if (replica !== undefined && mayBeStale(action, body)) {
      const { answer, isBehind } = replica.read(action, body);
      if (isBehind) options.onStale();
      if (answer !== undefined) return { ...answer, headers: HEADERS };
    }
    const [answer] = engine.run([{ action, body }]);
    if (answer === undefined) throw new Error('the engine gave no answer');
    if (WRITES.has(action) && answer.status === 200) {
      replica?.note(action, body);
      tellChanges(action, body);
    }
    const isBatch = action === 'BatchGetItem' && answer.status === 200;
    return {
      ...answer,
      ...(isBatch ? { body: leaveOut(body, answer.body, options.isLeftOut) } : {}),
      headers: HEADERS,
    };
  };
  const scan = (): readonly Readonly<Record<string, AttributeValue>>[] =>
    JSON.parse(run('Scan', JSON.stringify({ TableName })).body).Items ?? [];
  const expire = (): void => {
    for (const { pk, sk, expiresAt } of scan())
      if (Number(expiresAt?.N ?? Number.POSITIVE_INFINITY) * 1000 < options.now())
        run('DeleteItem', JSON.stringify({ TableName, Key: { pk, sk } }));
  };
  const firstOf = (partition: string): number => {
    const [answer] = engine.run([{ action: 'Query', body: firstQuery(TableName, partition) }]);
    const [first] = JSON.parse(answer?.body ?? '').Items;
    return first === undefined ? Number.POSITIVE_INFINITY : Number(first.unfinishedAt.N);
  };
  const nextDue = (): number | undefined => {
    const due = Math.min(...NEEDS_TICKS.map((partitionOf) => firstOf(partitionOf(options.space))));
    return due === Number.POSITIVE_INFINITY ? undefined : due;
  };
  const put = (row: Readonly<Record<string, string | number>>): void => {
    const fields = Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? { N: `${value}` } : { S: value },
    ]);
    run('PutItem', JSON.stringify({ TableName, Item: Object.fromEntries(fields) }));
  };
  return { run, expire, nextDue, put };
};
