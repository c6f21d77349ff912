/**
 * The tables of one file. An item is written together with its index entries, after everything that
 * can be refused has been, so that a refused request has written nothing.
 */
import * as z from 'zod/mini';
import {
  type AttributeValue,
  attributeOf,
  type Item,
  itemBytes,
  parseItem,
  sortableNumber,
  typeOf,
} from './attribute-value.ts';
import { dynamoError, invalid, readInput, tableNotFound } from './inputs.ts';
import {
  addEntry,
  findRow,
  type IndexEntry,
  insertRow,
  loadDefinitions,
  removeEntry,
  removeRow,
  type Storage,
  type StoredItem,
  saveDefinition,
  scanRows,
  updateRow,
} from './storage.ts';

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N';
  readonly bytesMax: number;
}

/** DynamoDB's limits for the keys of tables and of indexes. */
const KEY_BYTES_MAX = { HASH: 2_048, RANGE: 1_024 } as const;

export interface KeySchema {
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute | undefined;
}

interface IndexSchema extends KeySchema {
  readonly name: string;
  /** Names of the attributes in it: the table's keys and its own. */
  readonly attributes: ReadonlySet<string>;
}

export interface TableSchema extends KeySchema {
  readonly name: string;
  readonly indexes: readonly IndexSchema[];
}

/** A key as it stands in the file; `range` is empty for a table without one. */
export interface StoredKey {
  readonly hash: string;
  readonly range: string;
}

const Keys = z
  .array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
  .check(z.minLength(1), z.maxLength(2));
const Index = z.object({
  IndexName: z.string(),
  KeySchema: Keys,
  Projection: z.object({ ProjectionType: z.literal('KEYS_ONLY') }),
});
/** Input of CreateTable, as far as it means something here. */
export const TableDefinition = z.object({
  TableName: z.string().check(z.minLength(3), z.maxLength(255)),
  KeySchema: Keys,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N']) })),
  GlobalSecondaryIndexes: z._default(z.array(Index), []),
});
export type TableDefinition = z.infer<typeof TableDefinition>;

/** @throws TableError when keys are not defined or of a type that is not implemented (B) */
const parseDefinition = (raw: unknown): TableDefinition => readInput(TableDefinition, 'CreateTable', raw);

const keysOf = ({ hash, range }: KeySchema): readonly KeyAttribute[] => (range === undefined ? [hash] : [hash, range]);

export const keyNames = (schema: KeySchema): readonly string[] => keysOf(schema).map(({ name }) => name);

/** @throws TableError when a key is not defined */
const buildSchema = (definition: TableDefinition): TableSchema => {
  const typeOfKey = new Map(definition.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const find = (keys: z.infer<typeof Keys>, kind: 'HASH' | 'RANGE'): KeyAttribute | undefined => {
    const name = keys.find(({ KeyType }) => KeyType === kind)?.AttributeName;
    if (name === undefined) return undefined;
    const type = typeOfKey.get(name);
    if (type === undefined) throw invalid(`the key ${name} is not among the AttributeDefinitions`);
    return { name, type, bytesMax: KEY_BYTES_MAX[kind] };
  };
  const read = (keys: z.infer<typeof Keys>): KeySchema => {
    const hash = find(keys, 'HASH');
    if (hash === undefined) throw invalid('a key schema needs a HASH key');
    return { hash, range: find(keys, 'RANGE') };
  };
  const table = read(definition.KeySchema);
  const indexes = definition.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }): IndexSchema => {
    const keys = read(KeySchema);
    return { name: IndexName, ...keys, attributes: new Set([...keyNames(table), ...keyNames(keys)]) };
  });
  return { name: definition.TableName, ...table, indexes };
};

/** Undefined when it is missing or of another type. @throws TableError when it is too long */
export const storeKeyValue = (key: KeyAttribute, value: AttributeValue | undefined): string | undefined => {
  if (value === undefined || typeOf(value) !== key.type) return undefined;
  if ('S' in value) {
    if (Buffer.byteLength(value.S) > key.bytesMax)
      throw invalid(`the value of the key ${key.name} is longer than ${key.bytesMax} bytes`);
    return value.S;
  }
  return 'N' in value ? sortableNumber(value.N) : undefined;
};

/** Undefined when the item is not in this index: it lacks an attribute, or has another type. */
export const storedKeyOf = ({ hash, range }: KeySchema, item: Item): StoredKey | undefined => {
  const stored = storeKeyValue(hash, attributeOf(item, hash.name));
  const sort = range === undefined ? '' : storeKeyValue(range, attributeOf(item, range.name));
  return stored === undefined || sort === undefined ? undefined : { hash: stored, range: sort };
};

/** @param where the index, for the message; undefined for the table itself */
const checkKey = ({ name, type }: KeyAttribute, value: AttributeValue, where?: string): void => {
  const place = where === undefined ? `the key ${name}` : `Index Key ${name} of ${where}`;
  if (typeOf(value) !== type) throw invalid(`Type mismatch for ${place}: expected ${type}, not ${typeOf(value)}`);
  if ('S' in value && value.S === '') throw invalid(`${place} must not be an empty string`);
};

/** The key of an item to be written. @throws TableError when it is missing or does not fit */
export const requireKey = (schema: TableSchema, item: Item): StoredKey => {
  for (const key of keysOf(schema)) {
    const value = attributeOf(item, key.name);
    if (value === undefined) throw invalid(`Missing the key ${key.name} in the item`);
    checkKey(key, value);
  }
  const stored = storedKeyOf(schema, item);
  if (stored === undefined) throw invalid('The provided key element does not match the schema');
  return stored;
};

/** The Key of a request: exactly the key's attributes. @throws TableError */
export const parseKey = ({ schema }: Table, raw: unknown): StoredKey => {
  const key = parseItem(raw ?? {});
  const stored = requireKey(schema, key);
  if (Object.keys(key).length === keysOf(schema).length) return stored;
  throw invalid('The provided key element does not match the schema');
};

/** @throws TableError when an attribute that is an index's key has another type or no characters */
const checkIndexKeys = (schema: TableSchema, item: Item): void => {
  for (const index of schema.indexes)
    for (const key of keysOf(index)) {
      const value = attributeOf(item, key.name);
      if (value !== undefined) checkKey(key, value, index.name);
    }
};

export const pick = (item: Item, names: Iterable<string>): Item =>
  Object.fromEntries(
    [...names].flatMap((name) => {
      const value = attributeOf(item, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export interface Table {
  readonly id: number;
  readonly definition: TableDefinition;
  readonly schema: TableSchema;
}

/** An item as found, parsed only when somebody looks into it. */
export interface FoundItem {
  readonly item: () => Item;
}

/** An item as it will stand in the table, with its index entries. */
export interface Prepared {
  readonly item: Item;
  readonly stored: StoredItem;
  readonly entries: readonly IndexEntry[];
}

/** A write that nothing can refuse any more. */
export interface Plan {
  readonly table: Table;
  readonly key: StoredKey;
  readonly before: FoundItem | undefined;
  /** Undefined to remove the item. */
  readonly after: Prepared | undefined;
}

export interface Tables {
  readonly storage: Storage;
  readonly byName: Map<string, Table>;
}

const ITEM_BYTES_MAX = 400 * 1024;

const toStored = (item: Item): StoredItem => ({ text: JSON.stringify(item), bytes: itemBytes(item) });

const entriesOf = (schema: TableSchema, item: Item): readonly IndexEntry[] =>
  schema.indexes.flatMap((index) => {
    const key = storedKeyOf(index, item);
    if (key === undefined) return [];
    return [{ index: index.name, key, ...toStored(pick(item, index.attributes)) }];
  });

const isSame = (a: IndexEntry, b: IndexEntry): boolean =>
  a.index === b.index && a.key.hash === b.key.hash && a.key.range === b.key.range && a.text === b.text;

const remember = ({ byName }: Tables, id: number, definition: TableDefinition): Table => {
  const table = { id, definition, schema: buildSchema(definition) };
  byName.set(definition.TableName, table);
  return table;
};

export const openTables = (storage: Storage): Tables => {
  const tables: Tables = { storage, byName: new Map() };
  for (const { id, json } of loadDefinitions(storage)) remember(tables, id, TableDefinition.parse(JSON.parse(json)));
  return tables;
};

/** @throws TableError (ResourceNotFoundException) */
export const getTable = ({ byName }: Tables, name: string): Table => {
  const table = byName.get(name);
  if (table === undefined) throw tableNotFound();
  return table;
};

const saveTable = (tables: Tables, definition: TableDefinition): Table => {
  buildSchema(definition);
  const id = saveDefinition(tables.storage, definition.TableName, JSON.stringify(definition));
  return remember(tables, id, definition);
};

export const createTable = (tables: Tables, raw: unknown): Table => {
  const definition = parseDefinition(raw);
  if (tables.byName.has(definition.TableName))
    throw dynamoError('ResourceInUseException', `Table already exists: ${definition.TableName}`);
  return saveTable(tables, definition);
};

/** Adds indexes to a table, with the entries of the items that it has. */
export const addIndexes = (
  tables: Tables,
  name: string,
  attributes: readonly unknown[],
  indexes: readonly unknown[],
): Table => {
  const { storage } = tables;
  const { definition } = getTable(tables, name);
  const GlobalSecondaryIndexes = [...definition.GlobalSecondaryIndexes, ...indexes];
  const AttributeDefinitions = attributes;
  const table = saveTable(tables, parseDefinition({ ...definition, AttributeDefinitions, GlobalSecondaryIndexes }));
  const known = new Set(definition.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
  for (const { text } of scanRows(storage, table.id, undefined, Number.MAX_SAFE_INTEGER)) {
    const item: Item = JSON.parse(text);
    const key = storedKeyOf(table.schema, item);
    if (key === undefined) throw new Error(`an item of ${table.schema.name} has no key`);
    for (const entry of entriesOf(table.schema, item))
      if (!known.has(entry.index)) addEntry(storage, table.id, entry, key);
  }
  return table;
};

export const findItem = ({ storage }: Tables, table: Table, key: StoredKey): FoundItem | undefined => {
  const stored = findRow(storage, table.id, key);
  if (stored === undefined) return undefined;
  let parsed: Item | undefined;
  const parse = (): Item => JSON.parse(stored.text);
  return { item: () => (parsed ??= parse()) };
};

/** @throws TableError when the item is too large or does not fit an index */
export const prepareItem = ({ schema }: Table, item: Item): Prepared => {
  checkIndexKeys(schema, item);
  const stored = toStored(item);
  if (stored.bytes > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
  return { item, stored, entries: entriesOf(schema, item) };
};

export const carryOut = ({ storage }: Tables, { table, key, before, after }: Plan): void => {
  if (after !== undefined) (before === undefined ? insertRow : updateRow)(storage, table.id, key, after.stored);
  else if (before !== undefined) removeRow(storage, table.id, key);
  const old = before === undefined ? [] : entriesOf(table.schema, before.item());
  const entries = after?.entries ?? [];
  for (const entry of old) if (!entries.some((each) => isSame(each, entry))) removeEntry(storage, table.id, entry, key);
  for (const entry of entries) if (!old.some((each) => isSame(each, entry))) addEntry(storage, table.id, entry, key);
};
