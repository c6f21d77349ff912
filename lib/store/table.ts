/**
 * The table as the rest of the code sees it: a few narrow functions over one DynamoDB table. Reads that must not miss a
 * just-written item ask for consistency; every write carries a named condition. A store that does not answer is an
 * UnavailableError (retryable), a condition that does not hold a ConditionError with the item as it stands.
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
import { buildExpressions, type Change, type Condition } from './condition.ts';
import type { Key } from './keys.ts';
import { decodeItem, findOwnWrite, newWriteToken, TOKEN_NAMES, unlessWritten } from './write-token.ts';

/** Rounds, one after the other, of a batch read in which the store gave not one key, before it counts as not reachable. */
export const BATCH_GET_ROUNDS_MAX = 8;

/** A stored item: plain data under its key. */
export type Item = Readonly<Record<string, NativeAttributeValue>>;

/** True for the item that a `ConditionError` carries. */
export const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

export interface Page {
  readonly items: readonly Item[];
  /** Opaque; present when there is more. */
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
  /** Only entries whose sort number is at most this. */
  readonly upTo?: number;
  readonly limit: number;
  readonly isDescending?: boolean;
  readonly cursor?: string | undefined;
}

export type Write =
  | { readonly kind: 'put'; readonly key: Key; readonly item: Item; readonly condition?: Condition }
  | { readonly kind: 'update'; readonly key: Key; readonly change: Change; readonly condition?: Condition }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Condition };

export interface Table {
  /** Items in the order of the keys; `undefined` where there is none. One request for up to 100 keys. */
  readonly load: (
    keys: readonly Key[],
    options?: { readonly isConsistent?: boolean },
  ) => Promise<readonly (Item | undefined)[]>;
  readonly query: (query: Query) => Promise<Page>;
  /** Keys only: load the items to see them. */
  readonly queryIndex: (query: IndexQuery) => Promise<Page>;
  readonly put: (key: Key, item: Item, condition?: Condition) => Promise<void>;
  /** Gives the item as it is after the change. */
  readonly update: (key: Key, change: Change, condition?: Condition) => Promise<Item>;
  readonly transact: (writes: readonly Write[]) => Promise<void>;
}

/** Waits so many milliseconds. */
type Pause = (ms: number) => Promise<unknown>;

const MARSHALL = { removeUndefinedValues: true } as const;

const encode = (item: object) => marshall(item, MARSHALL);

const expressionFields = (condition: Condition | undefined, change?: Change) => {
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

/**
 * Longest wait before keys that a busy table left out are asked for again; doubled with each round
 * that brings none.
 */
const UNPROCESSED_BACKOFF_MS = 50;

/** Builds the table's functions. @param client a DynamoDB client; @param tableName the table's name. */
export const buildTable = (client: DynamoDBClient, tableName: string, pause: Pause = sleep): Table => {
  const guarded = async <T>(send: () => Promise<T>, conditions: readonly string[] = []): Promise<T> => {
    try {
      return await send();
    } catch (error) {
      throw classifyStoreError(error, conditions);
    }
  };

  const loadOne = async (key: Key, isConsistent: boolean): Promise<Item | undefined> => {
    const answer = await guarded(() =>
      client.send(new GetItemCommand({ TableName: tableName, Key: encode(key), ConsistentRead: isConsistent })),
    );
    return answer.Item === undefined ? undefined : decodeItem(answer.Item);
  };

  const loadMany = async (keys: readonly Key[], isConsistent: boolean): Promise<readonly (Item | undefined)[]> => {
    const nameOf = (key: { pk?: unknown; sk?: unknown }) => JSON.stringify([key.pk, key.sk]);
    const found = new Map<string, Item>();
    const wanted = new Map(keys.map((key) => [nameOf(key), key]));
    let open = [...wanted.values()].map((key) => encode({ pk: key.pk, sk: key.sk }));
    // Any number of keys is read; only rounds that bring nothing on are counted.
    for (let idle = 0; open.length > 0; ) {
      if (idle === BATCH_GET_ROUNDS_MAX)
        throw new UnavailableError('The table is too busy to answer. Try again later.');
      const batch = open.slice(0, 100);
      const rest = open.slice(100);
      const answer = await guarded(() =>
        client.send(
          new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: batch, ConsistentRead: isConsistent } } }),
        ),
      );
      for (const raw of answer.Responses?.[tableName] ?? []) {
        const item = decodeItem(raw);
        found.set(nameOf(item), item);
      }
      const left = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
      idle = left.length < batch.length ? 0 : idle + 1;
      open = [...left, ...rest];
      if (left.length > 0) await pause(Math.random() * UNPROCESSED_BACKOFF_MS * 2 ** idle);
    }
    return keys.map((key) => found.get(nameOf(key)));
  };

  const page = ({ Items = [], LastEvaluatedKey }: Pick<QueryCommandOutput, 'Items' | 'LastEvaluatedKey'>): Page => ({
    items: Items.map(decodeItem),
    ...(LastEvaluatedKey === undefined ? {} : { cursor: encodeCursor(unmarshall(LastEvaluatedKey)) }),
  });

  /**
   * Sends a write of one item that carries this token. @returns the item, if the write had been
   * carried out before.
   */
  const sendOnce = async <T>(condition: Condition, token: string, send: () => Promise<T>): Promise<T | Item> => {
    try {
      return await send();
    } catch (error) {
      const own = findOwnWrite(error, token);
      if (own !== undefined) return own;
      throw classifyStoreError(error, [condition.name]);
    }
  };

  return {
    load: async (keys, options = {}) => {
      const [only, ...others] = keys;
      if (only === undefined) return [];
      return others.length === 0
        ? [await loadOne(only, options.isConsistent ?? false)]
        : loadMany(keys, options.isConsistent ?? false);
    },
    query: async (query) => {
      const sort = sortExpression(query);
      const answer = await guarded(() =>
        client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: `#pk = :pk${sort.expression}`,
            ExpressionAttributeNames: { '#pk': 'pk', ...(sort.expression === '' ? {} : { '#sk': 'sk' }) },
            ExpressionAttributeValues: encode({ ':pk': query.pk, ...sort.values }),
            ConsistentRead: query.isConsistent ?? false,
            ScanIndexForward: !(query.isDescending ?? false),
            Limit: query.limit,
            ExclusiveStartKey: decodeCursor(query.cursor),
          }),
        ),
      );
      return page(answer);
    },
    queryIndex: async (query) => {
      const isBounded = query.upTo !== undefined;
      const answer = await guarded(() =>
        client.send(
          new QueryCommand({
            TableName: tableName,
            IndexName: query.index,
            KeyConditionExpression: isBounded ? '#p = :p AND #at <= :at' : '#p = :p',
            ExpressionAttributeNames: {
              '#p': `${query.index}Space`,
              ...(isBounded ? { '#at': `${query.index}At` } : {}),
            },
            ExpressionAttributeValues: encode({ ':p': query.partition, ...(isBounded ? { ':at': query.upTo } : {}) }),
            ScanIndexForward: !(query.isDescending ?? false),
            Limit: query.limit,
            ExclusiveStartKey: decodeCursor(query.cursor),
          }),
        ),
      );
      return page(answer);
    },
    put: async (key, item, condition) => {
      const Item = { ...item, pk: key.pk, sk: key.sk };
      // Without a condition, a second time changes nothing.
      if (condition === undefined) {
        await guarded(() => client.send(new PutItemCommand({ TableName: tableName, Item: encode(Item) })));
        return;
      }
      const token = newWriteToken();
      const { update: _, ...fields } = expressionFields(unlessWritten(token, condition));
      await sendOnce(condition, token, () =>
        client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: encode({ ...Item, [TOKEN_NAMES[0]]: token }),
            ...fields,
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
    },
    update: async (key, change, condition) => {
      const token = newWriteToken();
      const once = unlessWritten(token, condition);
      const { update, ...fields } = expressionFields(once, { ...change, push: { names: TOKEN_NAMES, value: token } });
      return sendOnce(once, token, async () => {
        const answer = await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: encode({ pk: key.pk, sk: key.sk }),
            UpdateExpression: update,
            ...fields,
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return decodeItem(answer.Attributes ?? {});
      });
    },
    transact: async (writes) => {
      const TransactItems = writes.map((write) => encodeWrite(tableName, write));
      // The client gives it a token of its own, which is the same when it sends it again.
      await guarded(
        () => client.send(new TransactWriteItemsCommand({ TransactItems })),
        writes.map(({ condition }) => condition?.name ?? 'none'),
      );
    },
  };
};

const decodeCursor = (cursor: string | undefined) => {
  if (cursor === undefined) return undefined;
  try {
    return encode(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ConditionError('cursor is one this page gave', undefined);
  }
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
