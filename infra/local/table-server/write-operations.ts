/** The operations that write: first everything is refused that can be, then all is written. */

import { createHash } from 'node:crypto';
import { type Item, parseItem } from './attribute-value.ts';
import { type ConditionExpression, parseCondition } from './condition-expression.ts';
import * as inputs from './inputs.ts';
import { dynamoError, invalid, TableError } from './inputs.ts';
import {
  carryOut,
  type FoundItem,
  findItem,
  getTable,
  keyNames,
  type Plan,
  type Prepared,
  parseKey,
  prepareItem,
  requireKey,
  type StoredKey,
  type Table,
  type Tables,
} from './tables.ts';
import { type Bindings, checkPlaceholders } from './tokens.ts';
import { parseUpdate, type UpdateExpression } from './update-expression.ts';

/** How long a repeated transaction is known by its token, as DynamoDB documents it. */
const TOKEN_MS = 10 * 60_000;
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;

/** One write of a request, read but not yet compared with the table. */
interface Write {
  readonly table: Table;
  readonly key: StoredKey;
  readonly condition: ConditionExpression | undefined;
  readonly bindings: Bindings;
  readonly returnsOld: boolean;
  /** The item as it shall be, undefined to remove it. A check has none: it writes nothing. */
  readonly change: ((before: FoundItem | undefined) => Prepared | undefined) | undefined;
}

interface JudgedWrite {
  readonly before: FoundItem | undefined;
  /** Undefined for a check. */
  readonly plan: Plan | undefined;
}

/** Reads the item and judges the condition. @throws TableError; nothing is written here */
const judge = (tables: Tables, { table, key, condition, bindings, returnsOld, change }: Write): JudgedWrite => {
  const before = findItem(tables, table, key);
  if (condition?.holds(before?.item() ?? {}, bindings) === false) {
    const fields = returnsOld && before !== undefined ? { Item: before.item() } : {};
    throw dynamoError('ConditionalCheckFailedException', 'The conditional request failed', fields);
  }
  return { before, plan: change === undefined ? undefined : { table, key, before, after: change(before) } };
};

/** @param keyOf and changeOf are asked after the placeholders were checked */
const readConditional = (
  tables: Tables,
  input: inputs.Conditional,
  update: UpdateExpression | undefined,
  keyOf: (table: Table, bindings: Bindings) => StoredKey,
  changeOf: (table: Table, bindings: Bindings) => Write['change'],
): Write => {
  const condition = input.ConditionExpression === undefined ? undefined : parseCondition(input.ConditionExpression);
  const bindings = inputs.readBindings(input);
  const expressions = [condition, update].flatMap((expression) => (expression === undefined ? [] : [expression.used]));
  checkPlaceholders(expressions, bindings);
  const table = getTable(tables, input.TableName);
  const returnsOld = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return { table, key: keyOf(table, bindings), condition, bindings, returnsOld, change: changeOf(table, bindings) };
};

const readPut = (tables: Tables, input: inputs.Put): Write => {
  const item = parseItem(input.Item);
  const keyOf = ({ schema }: Table): StoredKey => requireKey(schema, item);
  return readConditional(tables, input, undefined, keyOf, (table) => {
    const prepared = prepareItem(table, item);
    return () => prepared;
  });
};

const readUpdate = (tables: Tables, input: inputs.Update): Write => {
  const update = input.UpdateExpression === undefined ? undefined : parseUpdate(input.UpdateExpression);
  const keyOf = (table: Table, bindings: Bindings): StoredKey => {
    const key = update?.targets(bindings).find((name) => keyNames(table.schema).includes(name));
    if (key !== undefined) throw invalid(`Cannot update attribute ${key}. This attribute is part of the key`);
    return parseKey(table, input.Key);
  };
  return readConditional(tables, input, update, keyOf, (table, bindings) => (before) => {
    const item: Item = before?.item() ?? parseItem(input.Key);
    return prepareItem(table, update === undefined ? item : update.apply(item, bindings));
  });
};

const readKeyed = (tables: Tables, input: inputs.Keyed, change: Write['change']): Write =>
  readConditional(
    tables,
    input,
    undefined,
    (table) => parseKey(table, input.Key),
    () => change,
  );

const readRemove = (tables: Tables, input: inputs.Keyed): Write => readKeyed(tables, input, () => undefined);

const readCheck = (tables: Tables, input: inputs.Keyed): Write => {
  if (input.ConditionExpression === undefined) throw invalid('a ConditionCheck needs a ConditionExpression');
  return readKeyed(tables, input, undefined);
};

const readWrite = (tables: Tables, entry: inputs.TransactItem): Write => {
  if ('Put' in entry) return readPut(tables, entry.Put);
  if ('Update' in entry) return readUpdate(tables, entry.Update);
  return 'Delete' in entry ? readRemove(tables, entry.Delete) : readCheck(tables, entry.ConditionCheck);
};

/** Why one part cancels its transaction. @throws what is no refusal */
const reasonOf = (error: unknown): object => {
  if (!(error instanceof TableError)) throw error;
  const isCondition = error.type.endsWith('#ConditionalCheckFailedException');
  return { Code: isCondition ? 'ConditionalCheckFailed' : 'ValidationError', Message: error.message, ...error.fields };
};

export interface WriteContext {
  readonly tables: Tables;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Transactions of the last minutes by token. In memory: their clients end with this process. */
  readonly transactions: Map<string, { readonly request: string; readonly at: number }>;
  /** Steps to take if the surrounding transaction is undone. */
  readonly undo: (() => void)[];
}

const writeOne = (tables: Tables, write: Write, returned: 'NONE' | 'ALL_OLD' | 'ALL_NEW' | undefined): object => {
  const { before, plan } = judge(tables, write);
  if (plan !== undefined) carryOut(tables, plan);
  const item = returned === 'ALL_NEW' ? plan?.after?.item : returned === 'ALL_OLD' ? before?.item() : undefined;
  return item === undefined ? {} : { Attributes: item };
};

export const putItem = ({ tables }: WriteContext, body: unknown): object => {
  const input = inputs.readInput(inputs.PutItem, 'PutItem', body);
  return writeOne(tables, readPut(tables, input), input.ReturnValues);
};

export const updateItem = ({ tables }: WriteContext, body: unknown): object => {
  const input = inputs.readInput(inputs.UpdateItem, 'UpdateItem', body);
  return writeOne(tables, readUpdate(tables, input), input.ReturnValues);
};

export const deleteItem = ({ tables }: WriteContext, body: unknown): object => {
  const input = inputs.readInput(inputs.DeleteItem, 'DeleteItem', body);
  return writeOne(tables, readRemove(tables, input), input.ReturnValues);
};

const writeAll = (tables: Tables, writes: readonly Write[]): void => {
  const plans: Plan[] = [];
  let isCancelled = false;
  const reasons = writes.map((write) => {
    try {
      const { plan } = judge(tables, write);
      if (plan !== undefined) plans.push(plan);
      return { Code: 'None' };
    } catch (error) {
      isCancelled = true;
      return reasonOf(error);
    }
  });
  if (isCancelled)
    throw dynamoError('TransactionCanceledException', 'Transaction cancelled', { CancellationReasons: reasons });
  const bytes = plans.reduce((total, { after }) => total + (after?.stored.bytes ?? 0), 0);
  if (bytes > TRANSACTION_BYTES_MAX) throw invalid('Transaction request size has exceeded the maximum allowed size');
  for (const plan of plans) carryOut(tables, plan);
};

export const transactWrite = ({ tables, now, transactions, undo }: WriteContext, body: unknown): object => {
  const input = inputs.readInput(inputs.TransactWriteItems, 'TransactWriteItems', body);
  const writes = input.TransactItems.map((entry) => readWrite(tables, entry));
  const names = writes.map(({ table, key }) => JSON.stringify([table.id, key.hash, key.range]));
  if (new Set(names).size < names.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
  for (const [token, { at }] of transactions) if (now() - at >= TOKEN_MS) transactions.delete(token);
  const token = input.ClientRequestToken;
  const request = createHash('sha256').update(JSON.stringify(input.TransactItems)).digest('hex');
  const earlier = token === undefined ? undefined : transactions.get(token);
  if (earlier?.request === request) return {};
  if (earlier !== undefined)
    throw dynamoError('IdempotentParameterMismatchException', 'The token was used for another transaction');
  writeAll(tables, writes);
  if (token === undefined) return {};
  transactions.set(token, { request, at: now() });
  undo.push(() => transactions.delete(token));
  return {};
};
