/**
 * Sending to the stage queues. One message per call on the hot path: a FIFO send with the
 * conversation as its group and a deduplication id made of signal and step, so that a repeated
 * publish within five minutes is swallowed by SQS: one of another delivery, and one the client
 * sends again because the answer was lost. Postponing twice changes nothing.
 */
import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { UnavailableError } from '../base/errors.ts';
import { deduplicationId, messageGroupId } from '../signal/ids.ts';
import type { ForgetAgainMessage, LogMessage, StageMessage } from '../signal/messages.ts';
import { isTransientAwsError } from './classify-store-error.ts';

/**
 * Publishes to one stage. @param step what this publish is ("reason:0"): part of the deduplication id.
 * @throws UnavailableError when the queue does not answer.
 */
export type Publish<Message extends StageMessage> = (message: Message, step: string) => Promise<void>;

const guarded = async (send: () => Promise<unknown>): Promise<void> => {
  try {
    await send();
  } catch (error) {
    throw isTransientAwsError(error)
      ? new UnavailableError('The queue did not answer. Try again later.', { cause: error })
      : error;
  }
};

export const buildPublish =
  <Message extends StageMessage>(client: SQSClient, queueUrl: string): Publish<Message> =>
  (message, step) =>
    guarded(() =>
      client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          MessageGroupId: messageGroupId(message.space, message.session),
          MessageDeduplicationId: deduplicationId(message.signalId, step),
        }),
      ),
    );

/**
 * Wakes the log's writer of a space; one group, so that one run follows another. A tick's message has a group of its own, because
 * it is hidden for half a minute, and nobody is to wait behind it. @param slot what this waking is for
 */
export const buildPublishLog =
  (client: SQSClient, queueUrl: string, space: string) =>
  (slot: string, round = 0, tickAt?: number): Promise<void> => {
    const tick = tickAt === undefined ? {} : { tickAt };
    const message: LogMessage = { stage: 'log', v: 1, space, round, ...tick };
    return guarded(() =>
      client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          MessageGroupId: tickAt === undefined ? space : messageGroupId(space, slot),
          MessageDeduplicationId: deduplicationId(slot, `log:${round}`),
        }),
      ),
    );
  };

/** Tells Act of an older copy of the table. @param slot of the tick that does */
export const buildPublishForgetAgain =
  (client: SQSClient, queueUrl: string, space: string) =>
  (slot: string): Promise<void> => {
    const message: ForgetAgainMessage = { stage: 'forget-again', v: 1, space };
    return guarded(() =>
      client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          MessageGroupId: messageGroupId(space, 'restore'),
          MessageDeduplicationId: deduplicationId(slot, 'forget-again'),
        }),
      ),
    );
  };

/** Hands a raw message with its reason to the stage's dead-letter queue, at once. */
export const buildBury =
  (client: SQSClient, deadLetterQueueUrl: string) =>
  (body: string, groupId: string, messageId: string, reason: string): Promise<void> =>
    guarded(() =>
      client.send(
        new SendMessageCommand({
          QueueUrl: deadLetterQueueUrl,
          MessageBody: body,
          MessageGroupId: groupId,
          MessageDeduplicationId: deduplicationId(messageId, 'dead-letter'),
          MessageAttributes: { reason: { DataType: 'String', StringValue: reason.slice(0, 500) || 'unknown' } },
        }),
      ),
    );

/** Makes a received message visible again after `delayS` seconds. */
export const buildPostpone =
  (client: SQSClient, queueUrl: string) =>
  (receiptHandle: string, delayS: number): Promise<void> =>
    guarded(() =>
      client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: delayS,
        }),
      ),
    );
