/**
 * The one DynamoDB table as a few narrow functions. Every write may carry a named condition.
 * - UnavailableError: the table did not answer (retryable)
 * - ConditionError: the condition did not hold; carries the item as it stands
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, type NativeAttributeValue, unmarshall } from '@aws-sdk/util-dynamodb';
import { defined } from '../base/defined.ts';
import { ConditionError, UnavailableError } from '../base/errors.ts';
import { classifyStoreError } from './classify-store-error.ts';
import { buildExpressions, type Condition, type ItemChange } from './condition.ts';
import type { Key } from './keys.ts';
import { decodeItem, findOwnWrite, newWriteToken, TOKEN_NAMES, unlessWritten } from './write-token.ts';

/** Batch reads in a row without a single item, before the table counts as too busy. */
export const BATCH_GET_ROUNDS_MAX = 8;

export type Item = Readonly<Record<string, NativeAttributeValue>>;

/** True for the item that a `ConditionError` carries. */
export const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

export interface Page {
  readonly items: readonly Item[];
  /** Opaque; absent on the last page. */
  readonly cursor?: string;
}

export interface Query {
  readonly pk: string;
  readonly skPrefix?: string;
  /** First and last sort key, both included; instead of a prefix. */
  readonly skBetween?: readonly [string, string];
  readonly limit?: number;
  readonly isDescending?: boolean;
  readonly isConsistent?: boolean;
  readonly cursor?: string | undefined;
}

export interface IndexQuery {
  readonly index: 'unfinished' | 'feed';
  readonly partition: string;
  /** Only entries whose sort number is at least `from`, and at most `upTo`. */
  readonly from?: number;
  readonly upTo?: number;
  readonly limit: number;
  readonly isDescending?: boolean;
  readonly cursor?: string | undefined;
}

export type Write =
  | { readonly kind: 'put'; readonly key: Key; readonly item: Item; readonly condition?: Condition }
  | { readonly kind: 'update'; readonly key: Key; readonly change: ItemChange; readonly condition?: Condition }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Condition };

export interface Table {
  /** Items in the order of the keys, undefined for a missing one. Prefer `loadNamed`. */
  readonly load: (
    keys: readonly Key[],
    options?: { readonly isConsistent?: boolean },
  ) => Promise<readonly (Item | undefined)[]>;
  readonly query: (query: Query) => Promise<Page>;
  /** Gives keys only. */
  readonly queryIndex: (query: IndexQuery) => Promise<Page>;
  readonly put: (key: Key, item: Item, condition?: Condition) => Promise<void>;
  /** Gives the item after the change. */
  readonly update: (key: Key, change: ItemChange, condition?: Condition) => Promise<Item>;
  readonly transact: (writes: readonly Write[]) => Promise<void>;
}

export type LoadTable = Pick<Table, 'load'>;
export type ReadTable = Pick<Table, 'load' | 'query'>;
export type FullReadTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

interface Context {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly pause: (ms: number) => Promise<unknown>;
}

const MARSHALL = { removeUndefinedValues: true } as const;

const encode = (item: object) => marshall(item, MARSHALL);

const expressionFields = (condition: Condition | undefined, change?: ItemChange) => {
  const built = buildExpressions(condition, change);
  return {
    ...defined({ ConditionExpression: built.condition }),
    ...(Object.keys(built.names).length === 0 ? {} : { ExpressionAttributeNames: built.names }),
    ...(Object.keys(built.values).length === 0 ? {} : { ExpressionAttributeValues: encode(built.values) }),
    update: built.update,
  };
};

const sortExpression = ({ skPrefix, skBetween }: Query) => {
  if (skBetween !== undefined)
    return { expression: ' AND #sk BETWEEN :sk AND :to', values: { ':sk': skBetween[0], ':to': skBetween[1] } };
  if (skPrefix !== undefined) return { expression: ' AND begins_with(#sk, :sk)', values: { ':sk': skPrefix } };
  return { expression: '', values: {} };
};

const encodeCursor = (key: Record<string, NativeAttributeValue>): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

const decodeCursor = (cursor: string | undefined) => {
  if (cursor === undefined) return undefined;
  try {
    return encode(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ConditionError('cursor is one this page gave', undefined);
  }
};

const buildPage = ({ Items = [], LastEvaluatedKey }: Pick<QueryCommandOutput, 'Items' | 'LastEvaluatedKey'>): Page => ({
  items: Items.map(decodeItem),
  ...defined({ cursor: LastEvaluatedKey && encodeCursor(unmarshall(LastEvaluatedKey)) }),
});

/** Longest wait before skipped keys are asked for again; it doubles with each fruitless round. */
const UNPROCESSED_BACKOFF_MS = 50;

const classified = async <T>(answer: Promise<T>, conditions: readonly string[] = []): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw classifyStoreError(error, conditions);
  }
};

/** @returns the item if this write, known by its token, had been carried out before */
const sentOnce = async <T>(answer: Promise<T>, token: string, condition: Condition): Promise<T | Item> => {
  try {
    return await answer;
  } catch (error) {
    const own = findOwnWrite(error, token);
    if (own !== undefined) return own;
    throw classifyStoreError(error, [condition.name]);
  }
};

const loadOne = async ({ client, tableName }: Context, key: Key, isConsistent: boolean): Promise<Item | undefined> => {
  const { Item } = await classified(
    client.send(new GetItemCommand({ TableName: tableName, Key: encode(key), ConsistentRead: isConsistent })),
  );
  return Item === undefined ? undefined : decodeItem(Item);
};

const nameOf = (key: { readonly pk?: unknown; readonly sk?: unknown }): string => JSON.stringify([key.pk, key.sk]);

const loadMany = async (
  { client, tableName, pause }: Context,
  keys: readonly Key[],
  isConsistent: boolean,
): Promise<readonly (Item | undefined)[]> => {
  const found = new Map<string, Item>();
  const wanted = new Map(keys.map((key) => [nameOf(key), key]));
  let open = [...wanted.values()].map(({ pk, sk }) => encode({ pk, sk }));
  // Only rounds that bring no item count, so that any number of keys can be read.
  for (let idle = 0; open.length > 0; ) {
    if (idle === BATCH_GET_ROUNDS_MAX) throw new UnavailableError('The table is too busy to answer. Try again later.');
    const batch = open.slice(0, 100);
    const RequestItems = { [tableName]: { Keys: batch, ConsistentRead: isConsistent } };
    const answer = await classified(client.send(new BatchGetItemCommand({ RequestItems })));
    for (const item of (answer.Responses?.[tableName] ?? []).map(decodeItem)) found.set(nameOf(item), item);
    const left = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
    idle = left.length < batch.length ? 0 : idle + 1;
    open = [...left, ...open.slice(100)];
    if (left.length > 0) await pause(Math.random() * UNPROCESSED_BACKOFF_MS * 2 ** idle);
  }
  return keys.map((key) => found.get(nameOf(key)));
};

const load = async (
  context: Context,
  keys: readonly Key[],
  isConsistent: boolean,
): Promise<readonly (Item | undefined)[]> => {
  const [only, ...others] = keys;
  if (only === undefined) return [];
  return others.length === 0 ? [await loadOne(context, only, isConsistent)] : loadMany(context, keys, isConsistent);
};

const query = async ({ client, tableName }: Context, asked: Query): Promise<Page> => {
  const sort = sortExpression(asked);
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: `#pk = :pk${sort.expression}`,
    ExpressionAttributeNames: { '#pk': 'pk', ...(sort.expression === '' ? {} : { '#sk': 'sk' }) },
    ExpressionAttributeValues: encode({ ':pk': asked.pk, ...sort.values }),
    ConsistentRead: asked.isConsistent ?? false,
    ScanIndexForward: !(asked.isDescending ?? false),
    Limit: asked.limit,
    ExclusiveStartKey: decodeCursor(asked.cursor),
  });
  return buildPage(await classified(client.send(command)));
};

const queryIndex = async ({ client, tableName }: Context, asked: IndexQuery): Promise<Page> => {
  const { index, partition, from = 0, upTo = Number.MAX_SAFE_INTEGER } = asked;
  const command = new QueryCommand({
    TableName: tableName,
    IndexName: index,
    KeyConditionExpression: '#p = :p AND #at BETWEEN :from AND :upTo',
    ExpressionAttributeNames: { '#p': `${index}Space`, '#at': `${index}At` },
    ExpressionAttributeValues: encode({ ':p': partition, ':from': from, ':upTo': upTo }),
    ScanIndexForward: !(asked.isDescending ?? false),
    Limit: asked.limit,
    ExclusiveStartKey: decodeCursor(asked.cursor),
  });
  return buildPage(await classified(client.send(command)));
};

const put = async (
  { client, tableName }: Context,
  { pk, sk }: Key,
  item: Item,
  condition: Condition | undefined,
): Promise<void> => {
  const Item = { ...item, pk, sk };
  // A write without a condition changes nothing when it is repeated.
  if (condition === undefined) {
    await classified(client.send(new PutItemCommand({ TableName: tableName, Item: encode(Item) })));
    return;
  }
  const token = newWriteToken();
  const { update: _, ...fields } = expressionFields(unlessWritten(token, condition));
  const command = new PutItemCommand({
    TableName: tableName,
    Item: encode({ ...Item, [TOKEN_NAMES[0]]: token }),
    ...fields,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await sentOnce(client.send(command), token, condition);
};

const update = async (
  { client, tableName }: Context,
  { pk, sk }: Key,
  change: ItemChange,
  condition: Condition | undefined,
): Promise<Item> => {
  const token = newWriteToken();
  const once = unlessWritten(token, condition);
  const { update: UpdateExpression, ...fields } = expressionFields(once, {
    ...change,
    push: { names: TOKEN_NAMES, value: token },
  });
  const command = new UpdateItemCommand({
    TableName: tableName,
    Key: encode({ pk, sk }),
    UpdateExpression,
    ...fields,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const answer = client.send(command).then(({ Attributes = {} }) => decodeItem(Attributes));
  return sentOnce(answer, token, once);
};

const transact = async ({ client, tableName }: Context, writes: readonly Write[]): Promise<void> => {
  const TransactItems = writes.map((write) => encodeWrite(tableName, write));
  // The client adds a token of its own, and sends the same one again.
  await classified(
    client.send(new TransactWriteItemsCommand({ TransactItems })),
    writes.map(({ condition }) => condition?.name ?? 'none'),
  );
};

/** @param pause waits so many milliseconds; only tests replace it */
export const buildTable = (client: DynamoDBClient, tableName: string, pause: Context['pause'] = sleep): Table => {
  const context: Context = { client, tableName, pause };
  return {
    load: (keys, { isConsistent = false } = {}) => load(context, keys, isConsistent),
    query: (asked) => query(context, asked),
    queryIndex: (asked) => queryIndex(context, asked),
    put: (key, item, condition) => put(context, key, item, condition),
    update: (key, change, condition) => update(context, key, change, condition),
    transact: (writes) => transact(context, writes),
  };
};

const encodeWrite = (tableName: string, write: Write) => {
  const key = encode({ pk: write.key.pk, sk: write.key.sk });
  const returns = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  switch (write.kind) {
    case 'put': {
      const { update: _, ...fields } = expressionFields(write.condition);
      return {
        Put: {
          TableName: tableName,
          Item: encode({ ...write.item, pk: write.key.pk, sk: write.key.sk }),
          ...fields,
          ...returns,
        },
      };
    }
    case 'update': {
      const { update, ...fields } = expressionFields(write.condition, write.change);
      return { Update: { TableName: tableName, Key: key, UpdateExpression: update, ...fields, ...returns } };
    }
    case 'check': {
      const { update: _, ConditionExpression = '', ...fields } = expressionFields(write.condition);
      return { ConditionCheck: { TableName: tableName, Key: key, ConditionExpression, ...fields, ...returns } };
    }
  }
};
