/**
 * The requests that the product sends to SQS, with the checks and refusals that SQS documents.
 * Delays and deduplication by content are left out, because the product does not use them.
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Random } from '../types.ts';
import { append, deleteFrom, isInFlight, type Message, type Queue, SECOND_MS, SendInput } from './queue-state.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html */
const DEDUPLICATION_MS = 300 * SECOND_MS;
/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html */
const VISIBILITY_MAX_S = 43_200;
const MESSAGE_BYTES_MAX = 1_048_576;
/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const BATCH_ENTRIES_MAX = 10;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const ID = /^[!-~]{1,128}$/;
const FORBIDDEN_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

const DeleteInput = z.object({ QueueUrl: z.string(), ReceiptHandle: z.string() });
const BatchInput = z.object({ QueueUrl: z.string(), Entries: z.array(z.looseObject({ Id: z.string() })) });
const ChangeInput = z.object({ QueueUrl: z.string(), ReceiptHandle: z.string(), VisibilityTimeout: z.number() });

export interface RequestContext {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: Random;
  readonly byUrl: ReadonlyMap<string, Queue>;
}

/** A refusal, in the words of SQS. */
class QueueError extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const invalid = (name: string, value: string, reason: string): QueueError =>
  new QueueError('InvalidParameterValue', `Value ${value} for parameter ${name} is invalid. Reason: ${reason}`);

const queueOf = ({ byUrl }: RequestContext, url: string): Queue => {
  const queue = byUrl.get(url);
  if (queue === undefined) throw new QueueError('QueueDoesNotExist', 'The specified queue does not exist.');
  return queue;
};

/** Has the form of a UUID. */
const drawId = (random: Random): string => {
  const hex = (digits: number): string =>
    Array.from({ length: digits / 4 }, () => random.below(65_536).toString(16).padStart(4, '0')).join('');
  return `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
};

const sizeOf = ({ MessageBody, MessageAttributes }: SendInput): number =>
  Object.entries(MessageAttributes)
    .flatMap(([name, { DataType, StringValue = '', BinaryValue = '' }]) => [name, DataType, StringValue, BinaryValue])
    .reduce((bytes, text) => bytes + Buffer.byteLength(text), Buffer.byteLength(MessageBody));

/** @throws QueueError for a message that SQS does not take */
const checkMessage = (input: SendInput): void => {
  const { MessageBody: body, MessageGroupId: groupId, MessageDeduplicationId: deduplicationId } = input;
  const missing = body === '' ? 'MessageBody' : groupId === '' ? 'MessageGroupId' : undefined;
  if (missing !== undefined)
    throw new QueueError('MissingParameter', `The request must contain the parameter ${missing}.`);
  if (deduplicationId === '')
    throw new QueueError('InvalidParameterValue', 'MessageDeduplicationId must be provided explicitly.');
  for (const [name, value] of Object.entries({ groupId, deduplicationId }))
    if (!ID.test(value)) throw invalid(name, value, '1 to 128 letters, digits and punctuation.');
  const values = Object.values(input.MessageAttributes).map(({ StringValue }) => StringValue ?? '');
  if ([body, ...values].some((text) => FORBIDDEN_CHARACTER.test(text)))
    throw new QueueError('InvalidMessageContents', 'Invalid characters found.');
  if (sizeOf(input) > MESSAGE_BYTES_MAX)
    throw new QueueError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${MESSAGE_BYTES_MAX} bytes.`,
    );
};

const accept = ({ random, now }: RequestContext, queue: Queue, input: SendInput): Message => {
  queue.sentCount += 1;
  const message: Message = {
    id: drawId(random),
    input,
    sequenceNumber: String(queue.sentCount).padStart(20, '0'),
    md5: hash('md5', input.MessageBody),
    sentAt: now(),
    expiresAt: now() + queue.retentionMs,
    receiveCount: 0,
    firstReceivedAt: 0,
    receivedAt: 0,
    receiptHandle: '',
    hiddenUntil: 0,
    isDeleted: false,
  };
  append(queue, message);
  return message;
};

/** Answers a repeat with the first message's id, even if that was deleted, and stores nothing. */
const send = (context: RequestContext, body: unknown): object => {
  const input = SendInput.parse(body);
  const queue = queueOf(context, input.QueueUrl);
  checkMessage(input);
  const { MessageGroupId, MessageDeduplicationId } = input;
  const key = queue.isGroupScoped ? `${MessageGroupId} ${MessageDeduplicationId}` : MessageDeduplicationId;
  const first = queue.accepted.get(key);
  const isRepeat = first !== undefined && context.now() < first.sentAt + DEDUPLICATION_MS;
  const message = isRepeat ? first : accept(context, queue, input);
  queue.accepted.set(key, message);
  return {
    MessageId: message.id,
    MD5OfMessageBody: hash('md5', input.MessageBody),
    SequenceNumber: message.sequenceNumber,
  };
};

/** Each entry is taken or refused by itself. */
const sendBatch = (context: RequestContext, body: unknown): object => {
  const { QueueUrl, Entries } = BatchInput.parse(body);
  queueOf(context, QueueUrl);
  if (Entries.length === 0 || Entries.length > BATCH_ENTRIES_MAX)
    throw new QueueError('TooManyEntriesInBatchRequest', `A batch has 1 to ${BATCH_ENTRIES_MAX} entries.`);
  if (new Set(Entries.map(({ Id }) => Id)).size < Entries.length)
    throw new QueueError('BatchEntryIdsNotDistinct', 'Two entries of a batch have the same Id.');
  const [Successful, Failed]: [object[], object[]] = [[], []];
  for (const { Id, ...entry } of Entries)
    try {
      Successful.push({ Id, ...send(context, { QueueUrl, ...entry }) });
    } catch (error) {
      if (!(error instanceof QueueError)) throw error;
      Failed.push({ Id, SenderFault: true, Code: error.type, Message: error.message });
    }
  return { Successful, Failed };
};

/** @throws QueueError for a handle that this queue never gave */
export const messageOf = ({ received }: Queue, handle: string): Message => {
  const message = received.get(handle);
  if (message === undefined)
    throw new QueueError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle}" is not a valid receipt handle.`,
    );
  return message;
};

const deleteMessage = (context: RequestContext, body: unknown): object => {
  const { QueueUrl, ReceiptHandle: handle } = DeleteInput.parse(body);
  const queue = queueOf(context, QueueUrl);
  const message = messageOf(queue, handle);
  // The SDK repeats a request whose answer was lost.
  if (message.isDeleted && message.receiptHandle === handle) return {};
  if (!isInFlight(message, handle, context.now()))
    throw invalid('ReceiptHandle', handle, 'The receipt handle has expired.');
  deleteFrom(queue, message);
  return {};
};

const changeVisibility = (context: RequestContext, body: unknown): object => {
  const { QueueUrl, ReceiptHandle: handle, VisibilityTimeout: timeoutS } = ChangeInput.parse(body);
  const queue = queueOf(context, QueueUrl);
  const now = context.now();
  const message = messageOf(queue, handle);
  if (!Number.isInteger(timeoutS) || timeoutS < 0 || timeoutS > VISIBILITY_MAX_S)
    throw invalid('VisibilityTimeout', String(timeoutS), `Must be between 0 and ${VISIBILITY_MAX_S}.`);
  if (!isInFlight(message, handle, now))
    throw new QueueError('MessageNotInflight', 'The specified message is not in flight.');
  if (now + timeoutS * SECOND_MS > message.receivedAt + VISIBILITY_MAX_S * SECOND_MS)
    throw invalid(
      'VisibilityTimeout',
      String(timeoutS),
      'Total VisibilityTimeout for the message is beyond the limit.',
    );
  message.hiddenUntil = now + timeoutS * SECOND_MS;
  return {};
};

const OPERATIONS: Readonly<Record<string, (context: RequestContext, body: unknown) => object>> = {
  SendMessage: send,
  SendMessageBatch: sendBatch,
  DeleteMessage: deleteMessage,
  ChangeMessageVisibility: changeVisibility,
};

export const runRequest = (context: RequestContext, action: string, body: string): { status: number; body: string } => {
  const operation = Object.hasOwn(OPERATIONS, action) ? OPERATIONS[action] : undefined;
  if (operation === undefined) throw new Error(`${action} is not simulated`);
  try {
    return { status: 200, body: JSON.stringify(operation(context, JSON.parse(body))) };
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    return { status: 400, body: JSON.stringify({ __type: `com.amazonaws.sqs#${error.type}`, message: error.message }) };
  }
};
