/** DynamoDB's errors as ours. An unknown one stays: a bug should look like a bug. */
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { ConditionError, ContendedError, PassepartoutError, ProtocolError, UnavailableError } from '../base/errors.ts';
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

/** True if an AWS service did not answer or asks to try later. */
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

/** Passing reasons of a cancelled transaction: another transaction, or too many requests. */
const RACE_REASONS: ReadonlySet<string> = new Set(['TransactionConflict']);
const BUSY_REASONS: ReadonlySet<string> = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);

/** DynamoDB has no error name for an item that is too large, only this message. */
const TOO_LARGE = /^Item size( to update)? has exceeded the maximum allowed size/;

const tooLarge = (cause: Error): ProtocolError =>
  new ProtocolError('an item would be larger than the 400 KB the table takes', { cause });

/** @param conditions names of the conditions, in the order of the writes */
const classifyCancelled = (error: TransactionCanceledException, conditions: readonly string[]): Error => {
  const reasons = error.CancellationReasons ?? [];
  const at = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (at >= 0) {
    const { Item } = reasons[at] ?? {};
    return new ConditionError(conditions[at] ?? 'none', Item === undefined ? undefined : decodeItem(Item));
  }
  const failed = reasons.filter(({ Code }) => Code !== undefined && Code !== 'None');
  if (failed.some(({ Message }) => TOO_LARGE.test(Message ?? ''))) return tooLarge(error);
  const codes = failed.map(({ Code }) => Code ?? '');
  const lasting = codes.find((code) => !RACE_REASONS.has(code) && !BUSY_REASONS.has(code));
  if (lasting !== undefined)
    return new PassepartoutError(`the table refuses this transaction for good (${lasting})`, false, { cause: error });
  return codes.some((code) => RACE_REASONS.has(code))
    ? new ContendedError('an item of this transaction', 1, { cause: error })
    : new UnavailableError('The table did not answer. Try again later.', { cause: error });
};

/** @param conditions names of the writes' conditions, for the error's message */
export const classifyStoreError = (error: unknown, conditions: readonly string[]): unknown => {
  if (error instanceof ConditionalCheckFailedException) {
    const { Item } = error;
    return new ConditionError(conditions[0] ?? 'none', Item === undefined ? undefined : decodeItem(Item));
  }
  if (error instanceof TransactionCanceledException) return classifyCancelled(error, conditions);
  if (isTransientAwsError(error))
    return new UnavailableError('The table did not answer. Try again later.', { cause: error });
  if (error instanceof Error && error.name === 'ValidationException' && TOO_LARGE.test(error.message))
    return tooLarge(error);
  return error;
};
