/**
 * Refusals of the table server, under the names DynamoDB gives them. The client of the AWS SDK
 * makes its own error classes from `__type`; `fields` go into the answer beside the message (the
 * item that failed a condition, cancellation reasons).
 */

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

/**
 * A feature of DynamoDB that the project does not use, and that this server therefore does not
 * have.
 */
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
