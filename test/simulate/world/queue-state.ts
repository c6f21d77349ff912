/**
 * What a simulated queue holds, and what follows from it and the time: which messages are in flight
 * or expired, and how one moves to the dead-letter queue. No queue has a timer.
 */
import * as z from 'zod/mini';
import type { QueuePlan } from '../../../infra/local/wiring.ts';

export const SECOND_MS = 1000;
/** SQS's defaults, for a queue that names none. */
const VISIBILITY_S = 30;
const RETENTION_S = 345_600;

const RedrivePolicy = z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() });

const Attribute = z.object({
  DataType: z.string(),
  StringValue: z.optional(z.string()),
  BinaryValue: z.optional(z.string()),
});
/** The input of SendMessage; the empty text stands for a field that is missing. */
export const SendInput = z.object({
  QueueUrl: z.string(),
  MessageBody: z._default(z.string(), ''),
  MessageGroupId: z._default(z.string(), ''),
  MessageDeduplicationId: z._default(z.string(), ''),
  MessageAttributes: z._default(z.record(z.string(), Attribute), {}),
});
export type SendInput = z.infer<typeof SendInput>;

/** Times are epoch milliseconds; 0 for a message that was never received. */
export interface Message {
  readonly id: string;
  readonly input: SendInput;
  readonly sequenceNumber: string;
  readonly md5: string;
  readonly sentAt: number;
  readonly expiresAt: number;
  receiveCount: number;
  firstReceivedAt: number;
  receivedAt: number;
  /** Of the last receive. */
  receiptHandle: string;
  /** In flight before this time. */
  hiddenUntil: number;
  isDeleted: boolean;
}

export interface Queue {
  readonly plan: QueuePlan;
  readonly visibilityMs: number;
  readonly retentionMs: number;
  readonly isGroupScoped: boolean;
  readonly redrive: z.infer<typeof RedrivePolicy> | undefined;
  /** The messages of each group in their order; no group is empty. */
  readonly groups: Map<string, Message[]>;
  /** By scope and deduplication id, the message that was accepted last. */
  readonly accepted: Map<string, Message>;
  /** By every receipt handle that this queue gave. */
  readonly received: Map<string, Message>;
  sentCount: number;
}

/** @throws Error if the plan is not of a FIFO queue */
export const buildQueue = (plan: QueuePlan): Queue => {
  const { FifoQueue, VisibilityTimeout, MessageRetentionPeriod, DeduplicationScope, ...others } = plan.attributes;
  if (FifoQueue !== 'true') throw new Error(`${plan.name} is not a FIFO queue, and only these are simulated`);
  const redrive = others.RedrivePolicy;
  return {
    plan,
    visibilityMs: Number(VisibilityTimeout ?? VISIBILITY_S) * SECOND_MS,
    retentionMs: Number(MessageRetentionPeriod ?? RETENTION_S) * SECOND_MS,
    isGroupScoped: DeduplicationScope === 'messageGroup',
    redrive: redrive === undefined ? undefined : RedrivePolicy.parse(JSON.parse(redrive)),
    groups: new Map(),
    accepted: new Map(),
    received: new Map(),
    sentCount: 0,
  };
};

export const append = ({ groups }: Queue, message: Message): void => {
  const { MessageGroupId } = message.input;
  const group = groups.get(MessageGroupId);
  if (group === undefined) groups.set(MessageGroupId, [message]);
  else group.push(message);
};

export const drop = ({ groups }: Queue, message: Message): void => {
  const { MessageGroupId } = message.input;
  const others = (groups.get(MessageGroupId) ?? []).filter((other) => other !== message);
  if (others.length === 0) groups.delete(MessageGroupId);
  else groups.set(MessageGroupId, others);
};

export const dropExpired = (queue: Queue, now: number): void => {
  for (const group of queue.groups.values())
    for (const message of group) if (message.expiresAt <= now) drop(queue, message);
};

/**
 * A receipt handle of a FIFO queue expires with the visibility timeout, even if nobody received the
 * message since: https://repost.aws/knowledge-center/sqs-receipt-handle-error
 */
export const isInFlight = (message: Message, handle: string, now: number): boolean =>
  !message.isDeleted && message.receiptHandle === handle && message.hiddenUntil > now;

export const deleteFrom = (queue: Queue, message: Message): void => {
  message.isDeleted = true;
  drop(queue, message);
};

/**
 * The message keeps its id and its count of receives, which is "across all queues" (ReceiveMessage
 * of the API reference). A FIFO queue counts the retention from the move on:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html
 */
export const moveTo = (deadLetters: Queue, message: Message, now: number): void =>
  append(deadLetters, { ...message, expiresAt: now + deadLetters.retentionMs });
