/**
 * The requests this server takes: exactly the fields it honours. A field of DynamoDB that is not
 * listed is refused by name, so that nobody relies on something that is silently left out.
 */
import * as z from 'zod/mini';
import { type AttributeValue, parseValue } from './attribute-value.ts';
import type { Bindings } from './tokens.ts';

const CORAL = 'com.amazon.coral';
const DYNAMODB = 'com.amazonaws.dynamodb.v20120810';

export class TableError extends Error {
  override readonly name: string = 'TableError';
  /** With its namespace, as `__type` carries it. */
  readonly type: string;
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
  constructor(type: string, message: string, status = 400, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.type = type;
    this.status = status;
    this.fields = fields;
  }
}

export const invalid = (message: string): TableError =>
  new TableError(`${CORAL}.validate#ValidationException`, message);

/** A feature of DynamoDB that the project does not use. */
export const notImplemented = (feature: string): TableError =>
  invalid(`${feature} is not implemented by the embedded table server`);

export const serialization = (message: string): TableError =>
  new TableError(`${CORAL}.service#SerializationException`, message);

/** Refused before the request is looked at: 403 as AWS answers it. */
export const unauthorized = (type: string, message: string): TableError =>
  new TableError(`${CORAL}.service#${type}`, message, 403);

export const dynamoError = (type: string, message: string, fields?: Readonly<Record<string, unknown>>): TableError =>
  new TableError(`${DYNAMODB}#${type}`, message, 400, fields);

export const tableNotFound = (): TableError => dynamoError('ResourceNotFoundException', 'Requested resource not found');

/** The table's file cannot be read or written now. Retryable: the request was not carried out. */
export const storageFailed = (sentence: string): TableError =>
  new TableError(`${DYNAMODB}#InternalServerError`, sentence, 500);

const ITEMS_PER_TRANSACTION_MAX = 100;
const KEYS_PER_READ_MAX = 100;

const tableName = z.string().check(z.regex(/^[\w.-]{3,255}$/));

const common = { TableName: tableName, ReturnConsumedCapacity: z.optional(z.literal('NONE')) };
const placeholders = {
  ExpressionAttributeNames: z.optional(z.record(z.string(), z.string())),
  ExpressionAttributeValues: z.optional(z.record(z.string(), z.unknown())),
};
const conditional = {
  ...placeholders,
  ConditionExpression: z.optional(z.string()),
  ReturnValuesOnConditionCheckFailure: z.optional(z.enum(['NONE', 'ALL_OLD'])),
};
const paged = { Limit: z.optional(z.int().check(z.gte(1))), ExclusiveStartKey: z.optional(z.unknown()) };

const put = { ...common, ...conditional, Item: z.unknown() };
const keyed = { ...common, ...conditional, Key: z.unknown() };
const update = { ...keyed, UpdateExpression: z.optional(z.string()) };
const Put = z.strictObject(put);
export type Put = z.infer<typeof Put>;
const Keyed = z.strictObject(keyed);
export type Keyed = z.infer<typeof Keyed>;
const Update = z.strictObject(update);
export type Update = z.infer<typeof Update>;
export type Conditional = Omit<Keyed, 'Key'>;

export const GetItem = z.strictObject({ ...common, Key: z.unknown(), ConsistentRead: z.optional(z.boolean()) });
export const PutItem = z.strictObject({ ...put, ReturnValues: z.optional(z.enum(['NONE', 'ALL_OLD'])) });
export const UpdateItem = z.strictObject({
  ...update,
  ReturnValues: z.optional(z.enum(['NONE', 'ALL_NEW'])),
});
export const DeleteItem = z.strictObject({ ...keyed, ReturnValues: z.optional(z.enum(['NONE', 'ALL_OLD'])) });
export const Query = z.strictObject({
  ...common,
  ...placeholders,
  ...paged,
  KeyConditionExpression: z.string(),
  IndexName: z.optional(z.string()),
  ConsistentRead: z.optional(z.boolean()),
  ScanIndexForward: z.optional(z.boolean()),
});
export const Scan = z.strictObject({ ...common, ...paged, ConsistentRead: z.optional(z.boolean()) });
export const BatchGetItem = z.strictObject({
  ReturnConsumedCapacity: z.optional(z.literal('NONE')),
  RequestItems: z.record(
    tableName,
    z.strictObject({
      Keys: z.array(z.unknown()).check(z.minLength(1), z.maxLength(KEYS_PER_READ_MAX)),
      ConsistentRead: z.optional(z.boolean()),
    }),
  ),
});
const TransactItem = z.union([
  z.strictObject({ Put }),
  z.strictObject({ Update }),
  z.strictObject({ Delete: Keyed }),
  z.strictObject({ ConditionCheck: Keyed }),
]);
export type TransactItem = z.infer<typeof TransactItem>;
export const TransactWriteItems = z.strictObject({
  ReturnConsumedCapacity: z.optional(z.literal('NONE')),
  ClientRequestToken: z.optional(z.string().check(z.minLength(1), z.maxLength(36))),
  TransactItems: z.array(TransactItem).check(z.minLength(1), z.maxLength(ITEMS_PER_TRANSACTION_MAX)),
});
export const TableName = z.object({ TableName: z.string() });
export const UpdateTable = z.object({
  TableName: z.string(),
  AttributeDefinitions: z.array(z.unknown()),
  GlobalSecondaryIndexUpdates: z.array(z.strictObject({ Create: z.unknown() })),
});

type Issue = z.core.$ZodIssue;

const valueAt = (body: unknown, path: Issue['path']): unknown =>
  path.reduce<unknown>((value, name) => (isContainer(value) ? Reflect.get(value, name) : undefined), body);
const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A field with a value of another JSON type. AWS refuses it before it looks at the request. */
const hasWrongType = (body: unknown, { path, ...issue }: Issue): boolean => {
  const value = valueAt(body, path);
  if (issue.code === 'invalid_union')
    return issue.errors.some((errors) => errors.some((error) => hasWrongType(value, error)));
  if (value === undefined || value === null) return false;
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && typeof value !== 'string');
};

/** @throws TableError naming the field that is wrong, or that is not implemented here */
export const readInput = <T>(schema: z.ZodMiniType<T>, action: string, body: unknown): T => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const wrong = issues.find((one) => hasWrongType(body, one));
  if (wrong !== undefined) throw serialization(`the value at '${wrong.path.join('.')}' of ${action} has another type`);
  const unknown = issues.find((one) => one.code === 'unrecognized_keys');
  if (unknown !== undefined) throw notImplemented(`${unknown.keys.join(', ')} of ${action}`);
  const place = issues[0]?.path.join('.') ?? '';
  throw invalid(`1 validation error detected: Value at '${place}' of ${action} failed to satisfy its constraint`);
};

/** The placeholders of a request. @throws TableError for a value that is none */
export const readBindings = (input: {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}): Bindings => ({
  names: new Map(Object.entries(input.ExpressionAttributeNames ?? {})),
  values: new Map(
    Object.entries(input.ExpressionAttributeValues ?? {}).map(([name, raw]): [string, AttributeValue] => [
      name,
      parseValue(raw),
    ]),
  ),
});
