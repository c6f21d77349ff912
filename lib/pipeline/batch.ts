/**
 * From an SQS batch to single messages (Powertools batch underneath), and what each kind of failure leads to:
 * - poison (not the agreed form, or an error that trying again cannot help): straight to the dead-letter queue, with its reason
 * - retryable: reported as failed and made visible again after a back-off; on the last delivery buried with its reason
 * Work that succeeded may ask to see its message again, as often as there are deliveries.
 * A failed message holds back the later ones of its group and no others.
 */
import { processPartialResponse, SqsFifoPartialProcessorAsync } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Log } from '../aws/log.ts';
import { isRetryable, PassepartoutError, RetryLaterError } from '../errors.ts';
import { BODY_BYTES_MAX, RECEIVE_COUNT_MAX, RETRY_BACKOFF_MS } from '../limits.ts';
import { parseJson } from '../signal/json.ts';

export interface BatchDeps {
  /** Puts a message on the dead-letter queue: body, group, message id, reason. */
  readonly bury: (body: string, groupId: string, messageId: string, reason: string) => Promise<void>;
  /** Makes a received message visible again after so many seconds. */
  readonly postpone: (receiptHandle: string, delayS: number) => Promise<void>;
  readonly log: Log;
}

export type StageHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** What a person reads in the dead-letter record: our own words, or only the kind of an unexpected error. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof PassepartoutError) return `${error.name}: ${error.message}`;
  return `unexpected ${error instanceof Error ? error.name : typeof error}`;
};

const backoffMs = (error: unknown, receiveCount: number): number =>
  error instanceof RetryLaterError
    ? error.afterMs
    : (RETRY_BACKOFF_MS[Math.min(receiveCount, RETRY_BACKOFF_MS.length) - 1] ?? RETRY_BACKOFF_MS[0]);

/** Does one message; `remainingMs` is the invocation's remaining time, `seeAgain` asks for the same message once more, later. */
export type Work<Message> = (
  message: Message,
  remainingMs: () => number,
  seeAgain: (afterMs: number) => void,
) => Promise<void>;

export const batch = <Message>(schema: z.ZodMiniType<Message>, work: Work<Message>, deps: BatchDeps): StageHandler => {
  const processor = new SqsFifoPartialProcessorAsync();

  const handleRecord = async (record: SQSRecord, remainingMs: () => number): Promise<void> => {
    const groupId = record.attributes.MessageGroupId ?? record.messageId;
    const receiveCount = Number(record.attributes.ApproximateReceiveCount);
    let againMs: number | undefined;
    const seeAgain = (afterMs: number): void => {
      againMs = afterMs;
    };
    try {
      if (record.body.length > BODY_BYTES_MAX)
        throw new PassepartoutError('message is larger than any stage sends', false);
      await work(parseJson('queue message', record.body, schema), remainingMs, seeAgain);
    } catch (error) {
      const reason = describeFailure(error);
      const mayRetry = isRetryable(error) && (receiveCount < RECEIVE_COUNT_MAX || error instanceof RetryLaterError);
      deps.log(mayRetry ? 'warn' : 'error', mayRetry ? 'message-retried' : 'message-buried', {
        messageId: record.messageId,
        receiveCount,
        reason,
      });
      if (mayRetry) {
        await deps.postpone(record.receiptHandle, Math.ceil(backoffMs(error, receiveCount) / 1000));
        throw error;
      }
      return deps.bury(record.body, groupId, record.messageId, reason);
    }
    if (againMs === undefined || receiveCount >= RECEIVE_COUNT_MAX) return;
    await deps.postpone(record.receiptHandle, Math.ceil(againMs / 1000));
    // Not a failure, but only what is reported as one stays on the queue.
    throw new RetryLaterError('to be seen again', againMs);
  };

  return async (event, context) =>
    processPartialResponse(
      event,
      (record: SQSRecord) => handleRecord(record, () => context.getRemainingTimeInMillis()),
      processor,
      {
        skipGroupOnError: true,
        throwOnFullBatchFailure: false,
      },
    );
};
