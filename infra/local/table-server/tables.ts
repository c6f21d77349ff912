/**
 * The tables of one file: found by name, made, given another index. An item is written together
 * with its index entries, after everything that can be refused has been refused, so that a refused
 * request has written nothing.
 */
import { type Item, itemBytes } from './attribute-value.ts';
import type { IndexEntry, Storage, StoredItem } from './storage.ts';
import { dynamoError, invalid, tableNotFound } from './table-error.ts';
import {
  buildSchema,
  checkIndexKeys,
  parseDefinition,
  pick,
  type StoredKey,
  storedKeyOf,
  TableDefinition,
  type TableSchema,
} from './table-schema.ts';

export interface Table {
  readonly id: number;
  readonly definition: TableDefinition;
  readonly schema: TableSchema;
}

/** An item as found, parsed only when somebody looks into it. */
export interface Found {
  readonly stored: StoredItem;
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
  readonly before: Found | undefined;
  /** Undefined to remove the item. */
  readonly after: Prepared | undefined;
}

export type Tables = ReturnType<typeof openTables>;

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

/** @param changeIndex carries out a change of an index, now or (a switch for tests) later */
export const openTables = (storage: Storage, changeIndex: (change: () => void) => void) => {
  const tables = new Map<string, Table>();
  const remember = (id: number, definition: TableDefinition): Table => {
    const table = { id, definition, schema: buildSchema(definition) };
    tables.set(definition.TableName, table);
    return table;
  };
  const save = (definition: TableDefinition): Table => {
    buildSchema(definition);
    return remember(storage.saveDefinition(definition.TableName, JSON.stringify(definition)), definition);
  };
  for (const { id, json } of storage.definitions()) remember(id, TableDefinition.parse(JSON.parse(json)));

  /** @throws TableError (ResourceNotFoundException) */
  const get = (name: string): Table => {
    const table = tables.get(name);
    if (table === undefined) throw tableNotFound();
    return table;
  };

  const addEntries = (table: Table, indexes: readonly string[]): void => {
    for (const { text } of storage.scan(table.id, undefined, Number.MAX_SAFE_INTEGER)) {
      const item: Item = JSON.parse(text);
      const key = storedKeyOf(table.schema, item);
      if (key === undefined) throw new Error(`an item of ${table.schema.name} has no key`);
      for (const entry of entriesOf(table.schema, item))
        if (indexes.includes(entry.index)) storage.addEntry(table.id, entry, key);
    }
  };

  return {
    get,
    create: (raw: unknown): Table => {
      const definition = parseDefinition(raw);
      if (tables.has(definition.TableName))
        throw dynamoError('ResourceInUseException', `Table already exists: ${definition.TableName}`);
      return save(definition);
    },
    addIndexes: (name: string, attributes: readonly unknown[], indexes: readonly unknown[]): Table => {
      const { definition } = get(name);
      const GlobalSecondaryIndexes = [...definition.GlobalSecondaryIndexes, ...indexes];
      const table = save(parseDefinition({ ...definition, AttributeDefinitions: attributes, GlobalSecondaryIndexes }));
      const known = new Set(definition.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
      addEntries(
        table,
        table.schema.indexes.map((index) => index.name).filter((index) => !known.has(index)),
      );
      return table;
    },
    find: (table: Table, key: StoredKey): Found | undefined => {
      const stored = storage.find(table.id, key);
      if (stored === undefined) return undefined;
      let parsed: Item | undefined;
      const parse = (): Item => JSON.parse(stored.text);
      return { stored, item: () => (parsed ??= parse()) };
    },
    /** @throws TableError when the item is too large or does not fit an index */
    prepare: ({ schema }: Table, item: Item): Prepared => {
      checkIndexKeys(schema, item);
      const stored = toStored(item);
      if (stored.bytes > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
      return { item, stored, entries: entriesOf(schema, item) };
    },
    carryOut: ({ table, key, before, after }: Plan): void => {
      if (after === undefined) {
        if (before !== undefined) storage.remove(table.id, key);
      } else storage.put(table.id, key, after.stored, before === undefined);
      const old = before === undefined ? [] : entriesOf(table.schema, before.item());
      const entries = after?.entries ?? [];
      for (const entry of old)
        if (!entries.some((each) => isSame(each, entry))) changeIndex(() => storage.removeEntry(table.id, entry, key));
      for (const entry of entries)
        if (!old.some((each) => isSame(each, entry))) changeIndex(() => storage.addEntry(table.id, entry, key));
    },
  };
};
