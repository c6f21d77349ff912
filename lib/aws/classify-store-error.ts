/**
 * Turns what the DynamoDB client throws into the system's own errors: pure, by error name and status, never by message.
 * Anything unknown is passed on as it is: a bug should look like a bug.
 */
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { ConditionError, ProtocolError, UnavailableError } from '../errors.ts';
import { decodeItem } from './write-token.ts';

const TRANSIENT_NAMES: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'TransactionInProgressException',
  'TransactionConflictException',
  'TimeoutError',
  'AbortError',
]);

const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** True for "no answer" and "try later" of any AWS client. */
export const isTransientAwsError = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const status = statusOf(error);
  return TRANSIENT_NAMES.has(error.name) || TRANSIENT_CODES.has(code) || status >= 500;
};

const statusOf = (error: Error): number => {
  if (!('$metadata' in error)) return 0;
  const metadata = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return 0;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : 0;
};

/** @param condition name of the write's condition, for the error's message. */
export const classifyStoreError = (error: unknown, condition: string): unknown => {
  if (error instanceof ConditionalCheckFailedException) {
    return new ConditionError(condition, error.Item === undefined ? undefined : decodeItem(error.Item));
  }
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    const failed = reasons.find((reason) => reason.Code === 'ConditionalCheckFailed');
    if (failed !== undefined)
      return new ConditionError(condition, failed.Item === undefined ? undefined : decodeItem(failed.Item));
    return new UnavailableError('the table', { cause: error });
  }
  if (isTransientAwsError(error)) return new UnavailableError('the table', { cause: error });
  if (error instanceof Error && error.name === 'ItemSizeLimitExceeded')
    return new ProtocolError('an item is larger than the table takes');
  return error;
};
