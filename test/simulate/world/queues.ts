/**
 * SQS FIFO queues on simulated time, as SQS documents them: order within a group, which waits while
 * one of its messages is in flight; visibility, deduplication, redrive, retention. Takes wire
 * requests of the SDK, and gives an event source its messages. If SQS may choose, `random` chooses.
 * The world around it loses requests and answers; nothing fails here by itself.
 */
import type { QueueMessage } from '../../../infra/local/queues.ts';
import type { QueuePlan } from '../../../infra/local/wiring.ts';
import type { Random } from '../types.ts';
import { messageOf, runRequest } from './queue-requests.ts';
import {
  buildQueue,
  deleteFrom,
  drop,
  dropExpired,
  isInFlight,
  type Message,
  moveTo,
  type Queue,
} from './queue-state.ts';

export interface QueuesOptions {
  readonly plans: readonly QueuePlan[];
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: Random;
  /**
   * One receive may bring several messages of a group, and fewer messages than it could, as on SQS.
   * Otherwise it brings one message of each group, as many as fit.
   */
  readonly isGenerous?: boolean;
}

export interface Queues {
  /** Carries out one request of the SDK (`SendMessage` …) with its JSON body. */
  readonly run: (request: { readonly action: string; readonly body: string }) => { status: number; body: string };
  /**
   * Gives what an event source mapping receives now, and hides it for the queue's visibility
   * timeout. Messages that were received too often move to the dead-letter queue instead.
   */
  readonly receive: (queueName: string, max: number) => readonly QueueMessage[];
  /** Deletes what is still in flight under these handles, as DeleteMessageBatch does. */
  readonly remove: (queueName: string, receiptHandles: readonly string[]) => void;
  /** Undefined if no message waits or is hidden. A receive at this time may only move messages. */
  readonly nextReceivableAt: (queueName: string) => number | undefined;
  /** How long a received message is hidden. */
  readonly visibilityMsOf: (queueName: string) => number;
  /** Loses every message, as a local stack does when it ends. */
  readonly lose: () => void;
  /** Messages neither deleted nor expired. */
  readonly countLeft: (queueName: string) => number;
}

interface Context extends QueuesOptions {
  readonly byUrl: ReadonlyMap<string, Queue>;
  readonly byArn: ReadonlyMap<string, Queue>;
}

/** @throws Error if the plans have no such queue: a mistake of the caller, not of a request */
const find = (queues: ReadonlyMap<string, Queue>, key: string): Queue => {
  const queue = queues.get(key);
  if (queue === undefined) throw new Error(`there is no queue ${key}`);
  return queue;
};

const buildReceived = (message: Message, accountId: string): QueueMessage => ({
  MessageId: message.id,
  ReceiptHandle: message.receiptHandle,
  Body: message.input.MessageBody,
  MD5OfBody: message.md5,
  Attributes: {
    SenderId: accountId,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    MessageGroupId: message.input.MessageGroupId,
    MessageDeduplicationId: message.input.MessageDeduplicationId,
    SequenceNumber: message.sequenceNumber,
  },
  MessageAttributes: message.input.MessageAttributes,
});

const hide = (queue: Queue, message: Message, now: number): QueueMessage => {
  message.receiveCount += 1;
  if (message.receiveCount === 1) message.firstReceivedAt = now;
  message.receivedAt = now;
  message.hiddenUntil = now + queue.visibilityMs;
  message.receiptHandle = `${message.id}.${message.receiveCount}`;
  queue.received.set(message.receiptHandle, message);
  return buildReceived(message, queue.plan.arn.split(':')[4] ?? '');
};

/** Receives the first messages of a group that nobody has in flight. */
const takeFrom = (context: Context, queue: Queue, group: readonly Message[], max: number): QueueMessage[] => {
  const { redrive } = queue;
  const now = context.now();
  const taken: QueueMessage[] = [];
  for (const message of group) {
    if (taken.length === max) break;
    if (redrive === undefined || message.receiveCount < redrive.maxReceiveCount) {
      taken.push(hide(queue, message, now));
      continue;
    }
    drop(queue, message);
    moveTo(find(context.byArn, redrive.deadLetterTargetArn), message, now);
  }
  return taken;
};

/** A group waits as long as one of its messages is in flight. */
const receive = (context: Context, queue: Queue, max: number): readonly QueueMessage[] => {
  const { random, isGenerous = false } = context;
  const now = context.now();
  dropExpired(queue, now);
  const groups = [...queue.groups.values()].filter((group) => group.every(({ hiddenUntil }) => hiddenUntil <= now));
  const wanted = isGenerous ? 1 + random.below(max) : max;
  const taken: QueueMessage[] = [];
  while (taken.length < wanted && groups.length > 0) {
    const [group = []] = groups.splice(random.below(groups.length), 1);
    const share = isGenerous ? 1 + random.below(Math.min(wanted - taken.length, group.length)) : 1;
    taken.push(...takeFrom(context, queue, group, share));
  }
  return taken;
};

const remove = ({ now }: Context, queue: Queue, handles: readonly string[]): void => {
  for (const handle of handles) {
    const message = messageOf(queue, handle);
    if (isInFlight(message, handle, now())) deleteFrom(queue, message);
  }
};

const nextReceivableAt = (queue: Queue, now: number): number | undefined => {
  dropExpired(queue, now);
  if (queue.groups.size === 0) return undefined;
  const openAt = [...queue.groups.values()].map((group) =>
    Math.max(...group.map(({ hiddenUntil, expiresAt }) => Math.min(hiddenUntil, expiresAt))),
  );
  return Math.max(now, Math.min(...openAt));
};

const countLeft = (queue: Queue, now: number): number => {
  dropExpired(queue, now);
  return [...queue.groups.values()].reduce((count, group) => count + group.length, 0);
};

/** @throws Error if a plan is not of a FIFO queue, or has a dead-letter queue without a plan */
export const buildQueues = (options: QueuesOptions): Queues => {
  const queues = options.plans.map(buildQueue);
  const by = (key: keyof Pick<QueuePlan, 'url' | 'name' | 'arn'>) =>
    new Map(queues.map((queue) => [queue.plan[key], queue]));
  const byName = by('name');
  const context: Context = { ...options, byUrl: by('url'), byArn: by('arn') };
  for (const { redrive } of queues) if (redrive !== undefined) find(context.byArn, redrive.deadLetterTargetArn);
  const named = (queueName: string): Queue => find(byName, queueName);
  return {
    run: ({ action, body }) => runRequest(context, action, body),
    receive: (queueName, max) => receive(context, named(queueName), max),
    remove: (queueName, receiptHandles) => remove(context, named(queueName), receiptHandles),
    nextReceivableAt: (queueName) => nextReceivableAt(named(queueName), options.now()),
    visibilityMsOf: (queueName) => named(queueName).visibilityMs,
    lose: () => {
      for (const { groups, accepted, received } of queues) {
        // Whoever still has a handle finds its message deleted.
        for (const message of received.values()) message.isDeleted = true;
        for (const kept of [groups, accepted]) kept.clear();
      }
    },
    countLeft: (queueName) => countLeft(named(queueName), options.now()),
  };
};
