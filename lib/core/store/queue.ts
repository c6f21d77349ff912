/**
 * Sends to the queues. A FIFO group is a conversation, or the stops of one; SQS drops repeats by id
 * of the step.
 */
import {
  ChangeMessageVisibilityCommand,
  type MessageAttributeValue,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { defined } from '../base/defined.ts';
import { UnavailableError } from '../base/errors.ts';
import { deduplicationId, messageGroupId } from '../signal/ids.ts';
import type { ForgetAgainMessage, LogMessage, StageMessage } from '../signal/messages.ts';
import { isTransientAwsError } from './classify-store-error.ts';

/**
 * @param step names this publish ("reason:0"), for deduplication
 * @param group messages of one group are worked on in turn; the conversation unless given
 * @throws UnavailableError
 */
export type Publish<Message extends StageMessage> = (message: Message, step: string, group?: string) => Promise<void>;

const answered = async (answer: Promise<unknown>): Promise<void> => {
  try {
    await answer;
  } catch (error) {
    throw isTransientAwsError(error)
      ? new UnavailableError('The queue did not answer. Try again later.', { cause: error })
      : error;
  }
};

interface Parcel {
  readonly body: string;
  readonly groupId: string;
  readonly deduplicationId: string;
  readonly attributes?: Record<string, MessageAttributeValue>;
}

const send = (client: SQSClient, queueUrl: string, { body, attributes, ...ids }: Parcel): Promise<void> =>
  answered(
    client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: body,
        MessageGroupId: ids.groupId,
        MessageDeduplicationId: ids.deduplicationId,
        MessageAttributes: attributes,
      }),
    ),
  );

export const buildPublish =
  <Message extends StageMessage>(client: SQSClient, queueUrl: string): Publish<Message> =>
  (message, step, group = message.session) =>
    send(client, queueUrl, {
      body: JSON.stringify(message),
      groupId: messageGroupId(message.space, group),
      deduplicationId: deduplicationId(message.signalId, step),
    });

interface QueuedOrder {
  readonly id: string;
  /** JSON of the signed job. */
  readonly signed?: string | undefined;
  /** Times it was sent before: each sending has a deduplication id of its own. */
  readonly sends: number;
}

/** @param slot of the runner, from 1. @throws UnavailableError */
export type SendOrder = (slot: number, job: QueuedOrder) => Promise<void>;

/** Each job is a group of its own, so that none waits behind one that runs. */
export const buildSendOrder =
  (client: SQSClient, queueUrls: readonly string[]): SendOrder =>
  async (slot, { id, signed, sends }) => {
    const queueUrl = queueUrls[slot - 1];
    if (queueUrl === undefined || signed === undefined) return;
    const groupId = deduplicationId(id, 'job');
    await send(client, queueUrl, { body: signed, groupId, deduplicationId: deduplicationId(id, `job:${sends}`) });
  };

/** Messages of one request (SQS's limit), and requests at once: more wait for the same queue. */
const BATCH_MESSAGES_MAX = 10;
const BATCHES_AT_ONCE = 8;

/** Publishes many messages, each with its step. @throws UnavailableError if one was not taken */
export type PublishMany<Message extends StageMessage> = (
  list: readonly { readonly message: Message; readonly step: string }[],
) => Promise<void>;

export const buildPublishMany = <Message extends StageMessage>(
  client: SQSClient,
  queueUrl: string,
): PublishMany<Message> => {
  const sendBatch = async (list: Parameters<PublishMany<Message>>[0]): Promise<void> => {
    const Entries = list.map(({ message, step }, n) => ({
      Id: String(n),
      MessageBody: JSON.stringify(message),
      MessageGroupId: messageGroupId(message.space, message.session),
      MessageDeduplicationId: deduplicationId(message.signalId, step),
    }));
    let isWhole = true;
    await answered(
      client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries })).then(({ Failed = [] }) => {
        isWhole = Failed.length === 0;
      }),
    );
    if (!isWhole) throw new UnavailableError('The queue did not take every message. Try again later.');
  };
  return async (list) => {
    const batches = Array.from({ length: Math.ceil(list.length / BATCH_MESSAGES_MAX) }, (_, n) =>
      list.slice(n * BATCH_MESSAGES_MAX, (n + 1) * BATCH_MESSAGES_MAX),
    );
    for (let first = 0; first < batches.length; first += BATCHES_AT_ONCE)
      await Promise.all(batches.slice(first, first + BATCHES_AT_ONCE).map(sendBatch));
  };
};

/**
 * Wakes the log's writer. One group, so that runs follow each other. A tick has a group of its own:
 * it is hidden for half a minute, and nothing shall wait behind it.
 * @param slot what this waking is for
 */
export const buildPublishLog =
  (client: SQSClient, queueUrl: string, space: string) =>
  (slot: string, round = 0, tickAt?: number): Promise<void> => {
    const message: LogMessage = { stage: 'log', v: 1, space, round, ...defined({ tickAt }) };
    return send(client, queueUrl, {
      body: JSON.stringify(message),
      groupId: tickAt === undefined ? space : messageGroupId(space, slot),
      deduplicationId: deduplicationId(slot, `log:${round}`),
    });
  };

/** Tells Act that the table is an older copy. @param slot of the tick that found it */
export const buildPublishForgetAgain =
  (client: SQSClient, queueUrl: string, space: string) =>
  (slot: string): Promise<void> => {
    const message: ForgetAgainMessage = { stage: 'forget-again', v: 1, space };
    return send(client, queueUrl, {
      body: JSON.stringify(message),
      groupId: messageGroupId(space, 'restore'),
      deduplicationId: deduplicationId(slot, 'forget-again'),
    });
  };

/** Characters for which SQS refuses the message; half of a character pair is one. */
const REFUSED = /[^\t\n\r -\uFFFD\u{10000}-\u{10FFFF}]/gu;

const asText = (StringValue: string): MessageAttributeValue => ({ DataType: 'String', StringValue });

/** Moves a message of a stage's queue to the dead-letter queue, with its reason. */
export const buildBury =
  (client: SQSClient, { QUEUE_URL, DLQ_URL }: { readonly QUEUE_URL: string; readonly DLQ_URL: string }) =>
  (body: string, groupId: string, messageId: string, reason: string): Promise<void> =>
    send(client, DLQ_URL, {
      body,
      groupId,
      deduplicationId: deduplicationId(messageId, 'dead-letter'),
      attributes: {
        reason: asText(reason.slice(0, 500).toWellFormed().replace(REFUSED, '\uFFFD') || 'unknown'),
        queue: asText(QUEUE_URL.split('/').at(-1) ?? ''),
      },
    });

/** Makes a received message visible again after `delayS` seconds. */
export const buildPostpone =
  (client: SQSClient, queueUrl: string) =>
  (receiptHandle: string, delayS: number): Promise<void> =>
    answered(
      client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: delayS,
        }),
      ),
    );
