/**
 * The operations that write: everything that can be refused is refused first, then all of it is
 * written.
 */

import { createHash } from 'node:crypto';
import { type Item, parseItem } from './attribute-value.ts';
import { type ConditionExpression, parseCondition } from './condition-expression.ts';
import * as inputs from './inputs.ts';
import { dynamoError, invalid, TableError } from './inputs.ts';
import {
  type Found,
  keyNames,
  type Plan,
  type Prepared,
  parseKey,
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
  readonly change: ((before: Found | undefined) => Prepared | undefined) | undefined;
}

interface Judged {
  readonly before: Found | undefined;
  /** Undefined for a check. */
  readonly plan: Plan | undefined;
}

/** Reads the item and judges the condition. @throws TableError; nothing is written here */
const judge = (tables: Tables, { table, key, condition, bindings, returnsOld, change }: Write): Judged => {
  const before = tables.find(table, key);
  if (condition?.holds(before?.item() ?? {}, bindings) === false) {
    const fields = returnsOld && before !== undefined ? { Item: before.item() } : {};
    throw dynamoError('ConditionalCheckFailedException', 'The conditional request failed', fields);
  }
  return { before, plan: change === undefined ? undefined : { table, key, before, after: change(before) } };
};

/** Reads writes of each kind from their inputs. */
const buildReaders = (tables: Tables) => {
  /** @param keyOf and changeOf are asked after the placeholders were checked */
  const read = (
    input: inputs.Conditional,
    update: UpdateExpression | undefined,
    keyOf: (table: Table, bindings: Bindings) => StoredKey,
    changeOf: (table: Table, bindings: Bindings) => Write['change'],
  ): Write => {
    const condition = input.ConditionExpression === undefined ? undefined : parseCondition(input.ConditionExpression);
    const bindings = inputs.readBindings(input);
    const expressions = [condition, update].flatMap((expression) =>
      expression === undefined ? [] : [expression.used],
    );
    checkPlaceholders(expressions, bindings);
    const table = tables.get(input.TableName);
    const returnsOld = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    return { table, key: keyOf(table, bindings), condition, bindings, returnsOld, change: changeOf(table, bindings) };
  };
  const keyIn = (table: Table, raw: unknown) => requireKey(table.schema, parseKey(table.schema, raw));

  return {
    put: (input: inputs.Put): Write => {
      const item = parseItem(input.Item);
      const keyOf = ({ schema }: Table): StoredKey => requireKey(schema, item);
      return read(input, undefined, keyOf, (table) => {
        const prepared = tables.prepare(table, item);
        return () => prepared;
      });
    },
    update: (input: inputs.Update): Write => {
      const update = input.UpdateExpression === undefined ? undefined : parseUpdate(input.UpdateExpression);
      const keyOf = (table: Table, bindings: Bindings): StoredKey => {
        const key = update?.targets(bindings).find((name) => keyNames(table.schema).includes(name));
        if (key !== undefined) throw invalid(`Cannot update attribute ${key}. This attribute is part of the key`);
        return keyIn(table, input.Key);
      };
      return read(input, update, keyOf, (table, bindings) => (before) => {
        const item: Item = before?.item() ?? parseItem(input.Key);
        return tables.prepare(table, update === undefined ? item : update.apply(item, bindings));
      });
    },
    remove: (input: inputs.Keyed): Write =>
      read(
        input,
        undefined,
        (table) => keyIn(table, input.Key),
        () => () => undefined,
      ),
    check: (input: inputs.Keyed): Write => {
      if (input.ConditionExpression === undefined) throw invalid('a ConditionCheck needs a ConditionExpression');
      return read(
        input,
        undefined,
        (table) => keyIn(table, input.Key),
        () => undefined,
      );
    },
  };
};

/** Why one part cancels its transaction. @throws what is no refusal */
const reasonOf = (error: unknown): object => {
  if (!(error instanceof TableError)) throw error;
  const isCondition = error.type.endsWith('#ConditionalCheckFailedException');
  return { Code: isCondition ? 'ConditionalCheckFailed' : 'ValidationError', Message: error.message, ...error.fields };
};

/**
 * @param now epoch milliseconds; @param onUndo takes what is to be done if the surrounding
 * transaction is undone
 */
export const buildWriteOperations = (tables: Tables, now: () => number, onUndo: (step: () => void) => void) => {
  const readers = buildReaders(tables);
  /** Transactions of the last minutes by token. In memory: their clients end with this process. */
  const done = new Map<string, { readonly request: string; readonly at: number }>();

  const writeOne = (write: Write, returned: 'NONE' | 'ALL_OLD' | 'ALL_NEW' | undefined): object => {
    const { before, plan } = judge(tables, write);
    if (plan !== undefined) tables.carryOut(plan);
    const item = returned === 'ALL_NEW' ? plan?.after?.item : returned === 'ALL_OLD' ? before?.item() : undefined;
    return item === undefined ? {} : { Attributes: item };
  };

  const readWrite = (entry: inputs.TransactItem): Write => {
    if ('Put' in entry) return readers.put(entry.Put);
    if ('Update' in entry) return readers.update(entry.Update);
    return 'Delete' in entry ? readers.remove(entry.Delete) : readers.check(entry.ConditionCheck);
  };

  const writeAll = (writes: readonly Write[]): void => {
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
    for (const plan of plans) tables.carryOut(plan);
  };

  const transact = (body: unknown): object => {
    const input = inputs.readInput(inputs.TransactWriteItems, 'TransactWriteItems', body);
    const writes = input.TransactItems.map(readWrite);
    const names = writes.map(({ table, key }) => JSON.stringify([table.id, key.hash, key.range]));
    if (new Set(names).size < names.length)
      throw invalid('Transaction request cannot include multiple operations on one item');
    for (const [token, { at }] of done) if (now() - at >= TOKEN_MS) done.delete(token);
    const token = input.ClientRequestToken;
    const request = createHash('sha256').update(JSON.stringify(input.TransactItems)).digest('hex');
    const earlier = token === undefined ? undefined : done.get(token);
    if (earlier?.request === request) return {};
    if (earlier !== undefined)
      throw dynamoError('IdempotentParameterMismatchException', 'The token was used for another transaction');
    writeAll(writes);
    if (token === undefined) return {};
    done.set(token, { request, at: now() });
    onUndo(() => done.delete(token));
    return {};
  };

  return {
    put: (body: unknown): object => {
      const input = inputs.readInput(inputs.PutItem, 'PutItem', body);
      return writeOne(readers.put(input), input.ReturnValues);
    },
    update: (body: unknown): object => {
      const input = inputs.readInput(inputs.UpdateItem, 'UpdateItem', body);
      return writeOne(readers.update(input), input.ReturnValues);
    },
    remove: (body: unknown): object => {
      const input = inputs.readInput(inputs.DeleteItem, 'DeleteItem', body);
      return writeOne(readers.remove(input), input.ReturnValues);
    },
    transact,
  };
};
