/** The operations that read. An item that is only passed on is never parsed. */

import { type Item, isRecord, parseItem } from './attribute-value.ts';
import { isWithin, type KeyRange, parseKeyCondition, resolveKeyCondition } from './condition-expression.ts';
import * as inputs from './inputs.ts';
import { invalid } from './inputs.ts';
import { findRow, queryRows, type RangeQuery, type StoredItem, scanRows } from './storage.ts';
import { getTable, type KeySchema, keyNames, parseKey, pick, storedKeyOf, type Table, type Tables } from './tables.ts';
import { checkPlaceholders } from './tokens.ts';

const PAGE_BYTES_MAX = 1024 * 1024;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/** Up to the limit or the size of a page; whether it ended there. */
const readPage = (rows: Iterable<StoredItem>, limit: number): { readonly texts: string[]; readonly isCut: boolean } => {
  const texts: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    texts.push(row.text);
    bytes += row.bytes;
    if (texts.length === limit || bytes >= PAGE_BYTES_MAX) return { texts, isCut: true };
  }
  return { texts, isCut: false };
};

const writePage = ({ texts, isCut }: ReturnType<typeof readPage>, lastKeyNames: readonly string[]): string => {
  const counts = `"Count":${texts.length},"ScannedCount":${texts.length}`;
  const last = texts.at(-1);
  const lastItem: Item | undefined = isCut && last !== undefined ? JSON.parse(last) : undefined;
  const more = lastItem === undefined ? '' : `,"LastEvaluatedKey":${JSON.stringify(pick(lastItem, lastKeyNames))}`;
  return `{"Items":[${texts.join(',')}],${counts}${more}}`;
};

/** @returns the row that a page begins behind */
const readStart = (
  table: Table,
  schema: KeySchema,
  names: readonly string[],
  raw: unknown,
  { hash, bounds }: KeyRange,
): RangeQuery['after'] => {
  if (raw === undefined) return undefined;
  const start = parseItem(raw);
  const own = storedKeyOf(schema, start);
  const key = storedKeyOf(table.schema, start);
  const isWhole = Object.keys(start).length === names.length;
  if (own === undefined || key === undefined || !isWhole) throw invalid('The provided starting key is invalid');
  if (own.hash !== hash)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  if (!bounds.every((bound) => isWithin(own.range, bound)))
    throw invalid('The provided starting key does not match the range key predicate');
  return { range: own.range, key };
};

interface ReadContext {
  readonly tables: Tables;
}

export const getItem = ({ tables }: ReadContext, body: unknown): string => {
  const input = inputs.readInput(inputs.GetItem, 'GetItem', body);
  const table = getTable(tables, input.TableName);
  const found = findRow(tables.storage, table.id, parseKey(table, input.Key));
  return found === undefined ? '{}' : `{"Item":${found.text}}`;
};

export const query = ({ tables }: ReadContext, body: unknown): string => {
  const input = inputs.readInput(inputs.Query, 'Query', body);
  const bindings = inputs.readBindings(input);
  const condition = parseKeyCondition(input.KeyConditionExpression);
  checkPlaceholders([condition.used], bindings);
  const table = getTable(tables, input.TableName);
  const index = table.schema.indexes.find(({ name }) => name === input.IndexName);
  if (input.IndexName !== undefined && index === undefined)
    throw invalid(`The table does not have the specified index: ${input.IndexName}`);
  if (index !== undefined && input.ConsistentRead === true)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const schema = index ?? table.schema;
  const names = [...new Set([...keyNames(table.schema), ...keyNames(schema)])];
  const range = resolveKeyCondition(condition, schema, bindings);
  const rowsMax = input.Limit ?? Number.MAX_SAFE_INTEGER;
  const rows = queryRows(tables.storage, {
    ...range,
    table: table.id,
    index: index?.name,
    isDescending: input.ScanIndexForward === false,
    rowsMax,
    after: readStart(table, schema, names, input.ExclusiveStartKey, range),
  });
  return writePage(readPage(rows, rowsMax), names);
};

export const scan = ({ tables }: ReadContext, body: unknown): string => {
  const input = inputs.readInput(inputs.Scan, 'Scan', body);
  const table = getTable(tables, input.TableName);
  const limit = input.Limit ?? Number.MAX_SAFE_INTEGER;
  const start = isRecord(input.ExclusiveStartKey) ? parseKey(table, input.ExclusiveStartKey) : undefined;
  return writePage(readPage(scanRows(tables.storage, table.id, start, limit), limit), keyNames(table.schema));
};

export const batchGet = ({ tables }: ReadContext, body: unknown): string => {
  const input = inputs.readInput(inputs.BatchGetItem, 'BatchGetItem', body);
  const requests = Object.entries(input.RequestItems);
  if (requests.length === 0) throw invalid('The batch names no table');
  if (requests.reduce((total, [, { Keys }]) => total + Keys.length, 0) > 100)
    throw invalid('Too many items requested for the BatchGetItem call');
  let bytes = 0;
  const answers: string[] = [];
  const unprocessed: Record<string, unknown> = {};
  for (const [name, { Keys, ...options }] of requests) {
    const table = getTable(tables, name);
    const keys = Keys.map((raw) => ({ raw, key: parseKey(table, raw) }));
    if (new Set(keys.map(({ key }) => JSON.stringify(key))).size < keys.length)
      throw invalid('Provided list of item keys contains duplicates');
    const texts: string[] = [];
    const left: unknown[] = [];
    for (const { raw, key } of keys) {
      const found = bytes > BATCH_BYTES_MAX ? 'left' : findRow(tables.storage, table.id, key);
      if (found === 'left') left.push(raw);
      else if (found !== undefined) {
        texts.push(found.text);
        bytes += found.bytes;
      }
    }
    answers.push(`${JSON.stringify(name)}:[${texts.join(',')}]`);
    if (left.length > 0) unprocessed[name] = { Keys: left, ...options };
  }
  return `{"Responses":{${answers.join(',')}},"UnprocessedKeys":${JSON.stringify(unprocessed)}}`;
};
