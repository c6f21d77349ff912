/**
 * Tables as CreateTable describes them: which attributes are keys, of the table and of its global
 * indexes, and how key values become texts whose byte order is DynamoDB's order (strings by their
 * UTF-8 bytes, numbers by value).
 */
import * as z from 'zod';
import { type AttributeValue, attributeOf, type Item, isRecord, parseItem, typeOf } from './attribute-value.ts';
import { sortableNumber } from './decimal.ts';
import { invalid } from './table-error.ts';

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N';
}

export interface KeySchema {
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute | undefined;
}

export interface IndexSchema extends KeySchema {
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
  .min(1)
  .max(2);
const Index = z.object({
  IndexName: z.string(),
  KeySchema: Keys,
  Projection: z.object({ ProjectionType: z.literal('KEYS_ONLY') }),
});
/** Input of CreateTable, as far as it means something here. */
export const TableDefinition = z.object({
  TableName: z.string().min(3).max(255),
  KeySchema: Keys,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N']) })),
  GlobalSecondaryIndexes: z.array(Index).default([]),
});
export type TableDefinition = z.infer<typeof TableDefinition>;

/** @throws TableError when keys are not defined or of a type that is not implemented (B) */
export const parseDefinition = (raw: unknown): TableDefinition => {
  const parsed = TableDefinition.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalid(`the table's definition is not one this server takes: ${z.prettifyError(parsed.error)}`);
};

const keysOf = ({ hash, range }: KeySchema): readonly KeyAttribute[] => (range === undefined ? [hash] : [hash, range]);

export const keyNames = (schema: KeySchema): readonly string[] => keysOf(schema).map(({ name }) => name);

/** @throws TableError when a key is not defined */
export const buildSchema = (definition: TableDefinition): TableSchema => {
  const typeOfKey = new Map(definition.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const find = (keys: z.infer<typeof Keys>, kind: 'HASH' | 'RANGE'): KeyAttribute | undefined => {
    const name = keys.find(({ KeyType }) => KeyType === kind)?.AttributeName;
    if (name === undefined) return undefined;
    const type = typeOfKey.get(name);
    if (type === undefined) throw invalid(`the key ${name} is not among the AttributeDefinitions`);
    return { name, type };
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

/** Undefined when the value is missing or of another type than the key. */
export const storeKeyValue = (key: KeyAttribute, value: AttributeValue | undefined): string | undefined => {
  if (value === undefined || typeOf(value) !== key.type) return undefined;
  if ('S' in value) return value.S;
  return 'N' in value ? sortableNumber(value.N) : undefined;
};

/**
 * Undefined when the item lacks one of the attributes, or has one of another type: it is not in
 * this index.
 */
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
export const parseKey = (schema: TableSchema, raw: unknown): Item => {
  const key = parseItem(isRecord(raw) ? raw : {});
  requireKey(schema, key);
  if (Object.keys(key).length === keysOf(schema).length) return key;
  throw invalid('The provided key element does not match the schema');
};

/** @throws TableError when an attribute that is an index's key has another type or no characters */
export const checkIndexKeys = (schema: TableSchema, item: Item): void => {
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
