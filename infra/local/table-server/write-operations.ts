/**
 * The operations that write: everything that can be refused is refused first, then all of it is
 * written.
 */
import { createHash } from 'node:crypto';
import { type Item, parseItem } from './attribute-value.ts';
import { type ConditionExpression, parseCondition } from './condition-expression.ts';
import { buildCache } from './expression-cache.ts';
import * as inputs from './inputs.ts';
import { dynamoError, invalid, TableError } from './table-error.ts';
import { keyNames, parseKey, requireKey, type StoredKey } from './table-schema.ts';
import type { Found, Plan, Prepared, Table, Tables } from './tables.ts';
import { type Bindings, checkPlaceholders } from './tokens.ts';
import { parseUpdate, type UpdateExpression } from './update-expression.ts';

/** How long a repeated transaction is known by its token, as DynamoDB documents it. */
const TOKEN_MS = 10 * 60_000;
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;

const conditionOf = buildCache(parseCondition);
const updateOf = buildCache(parseUpdate);

/** One write of a request, read but not yet compared with the table. */
interface Write {
  readonly table: Table;
  readonly key: StoredKey;
  readonly condition: ConditionExpression | undefined;
  readonly bindings: Bindings;
  readonly returnsOld: boolean;
  /** What shall stand there. */
  readonly change:
    | { readonly kind: 'put'; readonly prepared: Prepared }
    | { readonly kind: 'update'; readonly apply: (before: Found | undefined) => Item }
    | { readonly kind: 'remove' }
    | { readonly kind: 'check' };
}

export interface WriteOperations {
  readonly put: (body: unknown) => object;
  readonly update: (body: unknown) => object;
  readonly remove: (body: unknown) => object;
  readonly transact: (body: unknown) => object;
}

const conditionFailed = (write: Write, before: Found | undefined): TableError =>
  dynamoError(
    'ConditionalCheckFailedException',
    'The conditional request failed',
    write.returnsOld && before !== undefined ? { Item: before.item() } : {},
  );

/** Reads the item and judges the condition. @throws TableError; nothing is written here */
const judge = (
  tables: Tables,
  write: Write,
): { readonly before: Found | undefined; readonly plan: Plan | undefined } => {
  const { table, key, condition, bindings, change } = write;
  const before = tables.find(table, key);
  if (condition !== undefined && !condition.holds(before?.item() ?? {}, bindings)) throw conditionFailed(write, before);
  if (change.kind === 'check') return { before, plan: undefined };
  return { before, plan: { table, key, before, after: prepareChange(tables, table, change, before) } };
};

const prepareChange = (tables: Tables, table: Table, change: Write['change'], before: Found | undefined) => {
  if (change.kind === 'update') return tables.prepare(table, change.apply(before));
  return change.kind === 'put' ? change.prepared : undefined;
};

/** What the reading of a write needs from the tables. */
const buildReaders = (tables: Tables) => {
  const read = (
    input: inputs.Conditional,
    update: UpdateExpression | undefined,
    keyOf: (table: Table, bindings: Bindings) => StoredKey,
    changeOf: (bindings: Bindings, table: Table) => Write['change'],
  ): Write => {
    const condition = input.ConditionExpression === undefined ? undefined : conditionOf(input.ConditionExpression);
    const bindings = inputs.readBindings(input);
    checkPlaceholders([...(condition ? [condition.tokens] : []), ...(update ? [update.tokens] : [])], bindings);
    const table = tables.get(input.TableName);
    const returnsOld = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    return { table, key: keyOf(table, bindings), condition, bindings, returnsOld, change: changeOf(bindings, table) };
  };
  const keyed = (input: inputs.Keyed) => (table: Table) => requireKey(table.schema, parseKey(table.schema, input.Key));

  return {
    put: (input: inputs.Put): Write => {
      const item = parseItem(input.Item);
      const keyOf = ({ schema }: Table): StoredKey => requireKey(schema, item);
      return read(input, undefined, keyOf, (_, table) => ({ kind: 'put', prepared: tables.prepare(table, item) }));
    },
    update: (input: inputs.Update): Write => {
      const update = input.UpdateExpression === undefined ? undefined : updateOf(input.UpdateExpression);
      const keyOf = (table: Table, bindings: Bindings): StoredKey => {
        const key = update?.targets(bindings).find((name) => keyNames(table.schema).includes(name));
        const problem = 'One or more parameter values were invalid:';
        if (key !== undefined)
          throw invalid(`${problem} Cannot update attribute ${key}. This attribute is part of the key`);
        return keyed(input)(table);
      };
      return read(input, update, keyOf, (bindings) => {
        const apply = (before: Found | undefined): Item => {
          const item = before?.item() ?? parseItem(input.Key);
          return update === undefined ? item : update.apply(item, bindings);
        };
        return { kind: 'update', apply };
      });
    },
    remove: (input: inputs.Keyed): Write => read(input, undefined, keyed(input), () => ({ kind: 'remove' })),
    check: (input: inputs.Keyed): Write => {
      if (input.ConditionExpression === undefined)
        throw invalid('The ConditionExpression of a ConditionCheck is missing');
      return read(input, undefined, keyed(input), () => ({ kind: 'check' }));
    },
  };
};

/**
 * @param now epoch milliseconds; @param onUndo takes what is to be done if the surrounding
 * transaction is undone
 */
export const buildWriteOperations = (
  tables: Tables,
  now: () => number,
  onUndo: (step: () => void) => void,
): WriteOperations => {
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
    const reasons = writes.map((write) => {
      try {
        plans.push(...[judge(tables, write).plan].filter((plan) => plan !== undefined));
        return { Code: 'None' };
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
        const Code = error.type.endsWith('#ConditionalCheckFailedException')
          ? 'ConditionalCheckFailed'
          : 'ValidationError';
        return { Code, Message: error.message, ...error.fields };
      }
    });
    if (reasons.some(({ Code }) => Code !== 'None')) {
      const codes = reasons.map(({ Code }) => Code).join(', ');
      const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
      throw dynamoError('TransactionCanceledException', message, { CancellationReasons: reasons });
    }
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
    if (token === undefined) {
      writeAll(writes);
      return {};
    }
    const request = createHash('sha256').update(JSON.stringify(input.TransactItems)).digest('hex');
    const earlier = done.get(token);
    if (earlier?.request === request) return {};
    if (earlier !== undefined)
      throw dynamoError('IdempotentParameterMismatchException', 'The token was used for another transaction');
    writeAll(writes);
    done.set(token, { request, at: now() });
    onUndo(() => done.delete(token));
    return {};
  };

  return {
    put: (body) => {
      const input = inputs.readInput(inputs.PutItem, 'PutItem', body);
      return writeOne(readers.put(input), input.ReturnValues);
    },
    update: (body) => {
      const input = inputs.readInput(inputs.UpdateItem, 'UpdateItem', body);
      return writeOne(readers.update(input), input.ReturnValues);
    },
    remove: (body) => {
      const input = inputs.readInput(inputs.DeleteItem, 'DeleteItem', body);
      return writeOne(readers.remove(input), input.ReturnValues);
    },
    transact,
  };
};
