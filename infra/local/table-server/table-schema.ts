/**
 * Tables as CreateTable describes them: which attributes are keys, of the table and of its global
 * indexes, and how key values become texts whose byte order is DynamoDB's order (strings by their
 * UTF-8 bytes, numbers by value).
 */
import * as z from 'zod';
import { attributeOf, type Item, isRecord, parseItem, typeOf } from './attribute-value.ts';
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
  if (!parsed.success)
    throw invalid(`the table's definition is not one this server takes: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
};

export const keyNames = ({ hash, range }: KeySchema): readonly string[] =>
  range === undefined ? [hash.name] : [hash.name, range.name];

export const buildSchema = (definition: TableDefinition): TableSchema => {
  const typeOfKey = new Map(definition.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const keyOf = (keys: z.infer<typeof Keys>): KeySchema => {
    const find = (kind: 'HASH' | 'RANGE'): KeyAttribute | undefined => {
      const name = keys.find(({ KeyType }) => KeyType === kind)?.AttributeName;
      if (name === undefined) return undefined;
      const type = typeOfKey.get(name);
      if (type === undefined) throw invalid(`the key ${name} is not among the AttributeDefinitions`);
      return { name, type };
    };
    const hash = find('HASH');
    if (hash === undefined) throw invalid('a key schema needs a HASH key');
    return { hash, range: find('RANGE') };
  };
  const table = keyOf(definition.KeySchema);
  const indexes = definition.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }): IndexSchema => {
    const keys = keyOf(KeySchema);
    const attributes = new Set([...keyNames(table), ...keyNames(keys)]);
    return { name: IndexName, ...keys, attributes };
  });
  return { name: definition.TableName, ...table, indexes };
};

const store = (key: KeyAttribute, item: Item): string | undefined => {
  const value = attributeOf(item, key.name);
  if (value === undefined || typeOf(value) !== key.type) return undefined;
  if ('S' in value) return value.S;
  return 'N' in value ? sortableNumber(value.N) : undefined;
};

/** Of a value that stands for a key attribute. Undefined when it has another type. */
export const storeKeyValue = (key: KeyAttribute, value: Item[string]): string | undefined =>
  store(key, { [key.name]: value });

/**
 * Undefined when the item lacks one of the attributes, or has one of another type: it is not in
 * this index.
 */
export const storedKeyOf = (schema: KeySchema, item: Item): StoredKey | undefined => {
  const hash = store(schema.hash, item);
  const range = schema.range === undefined ? '' : store(schema.range, item);
  return hash === undefined || range === undefined ? undefined : { hash, range };
};

/** The key of an item to be written. @throws TableError as DynamoDB names it */
export const requireKey = (schema: TableSchema, item: Item): StoredKey => {
  for (const key of [schema.hash, ...(schema.range === undefined ? [] : [schema.range])]) {
    const value = attributeOf(item, key.name);
    const prefix = 'One or more parameter values were invalid:';
    if (value === undefined) throw invalid(`${prefix} Missing the key ${key.name} in the item`);
    if (typeOf(value) !== key.type)
      throw invalid(`${prefix} Type mismatch for key ${key.name} expected: ${key.type} actual: ${typeOf(value)}`);
    if ('S' in value && value.S === '')
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
          `string value. Key: ${key.name}`,
      );
  }
  const stored = storedKeyOf(schema, item);
  if (stored === undefined) throw invalid('The provided key element does not match the schema');
  return stored;
};

/** The Key of a request: exactly the key's attributes. @throws TableError */
export const parseKey = (schema: TableSchema, raw: unknown): Item => {
  const key = parseItem(isRecord(raw) ? raw : {});
  const names = keyNames(schema);
  const isWhole = Object.keys(key).length === names.length && storedKeyOf(schema, key) !== undefined;
  if (!isWhole) throw invalid('The provided key element does not match the schema');
  requireKey(schema, key);
  return key;
};

/** @throws TableError when an attribute that is an index's key has another type or no characters */
export const checkIndexKeys = (schema: TableSchema, item: Item): void => {
  for (const index of schema.indexes) {
    for (const key of [index.hash, ...(index.range === undefined ? [] : [index.range])]) {
      const value = attributeOf(item, key.name);
      if (value === undefined) continue;
      if (typeOf(value) !== key.type)
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${key.name} Expected: ${key.type} ` +
            `Actual: ${typeOf(value)} IndexName: ${index.name}`,
        );
      if ('S' in value && value.S === '')
        throw invalid(
          'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The ' +
            'AttributeValue for a key attribute cannot contain an empty string value. ' +
            `IndexName: ${index.name}, IndexKey: ${key.name}`,
        );
    }
  }
};

export const pick = (item: Item, names: Iterable<string>): Item =>
  Object.fromEntries(
    [...names].flatMap((name) => {
      const value = attributeOf(item, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
