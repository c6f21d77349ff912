/**
 * Feeds one queue's messages to one function, as Lambda's event source mapping does: batches of the
 * template's size, deletes what succeeded, leaves what the function named as failed (and
 * everything, if the run failed) to become visible again after the queue's visibility timeout; the
 * queue's own redrive policy does the rest. Each message group has one batch at a time, and the
 * groups run beside each other, so that one chat does not wait for another.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { defined } from '../../lib/base/defined.ts';
import { LOCAL_STOP_GRACE_MS } from './limits.ts';
import type { QueueMessage, QueueServer } from './queues.ts';
import type { EventSourcePlan } from './wiring.ts';

export interface EventSourceOptions {
  readonly plan: EventSourcePlan;
  readonly region: string;
  readonly queues: Pick<QueueServer, 'receive' | 'remove'>;
  /**
   * Runs the function; `isRepeat` says that it has had one of the messages before. @throws when the
   * run failed
   */
  readonly invoke: (event: unknown, isRepeat: boolean) => Promise<unknown>;
  /** Runs at a time. */
  readonly lanesMax: number;
  readonly log: (line: string) => void;
}

export interface EventSource {
  /** Takes no more messages; gives running batches a moment to end. What does not end is published again at the next start. */
  readonly stop: () => Promise<void>;
}

const BatchAnswer = z.nullish(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().min(1) }))) }),
);

/** Messages in the form Lambda gives them to a function. Pure. */
export const buildSqsEvent = (messages: readonly QueueMessage[], arn: string, awsRegion: string): object => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
        name,
        {
          dataType: DataType,
          ...defined({ stringValue: StringValue, binaryValue: BinaryValue }),
          stringListValues: [],
          binaryListValues: [],
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion,
  })),
});

/**
 * Which messages of a batch succeeded. Pure. As on Lambda: no answer or an empty list means all, and an answer that names an
 * unknown message or does not have the agreed form means none.
 */
export const parseSucceeded = (messages: readonly QueueMessage[], answer: unknown): readonly QueueMessage[] => {
  const parsed = BatchAnswer.safeParse(answer);
  if (!parsed.success) return [];
  const failed = (parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  if (failed.some((id) => messages.every(({ MessageId }) => MessageId !== id))) return [];
  return messages.filter(({ MessageId }) => !failed.includes(MessageId));
};

export const startEventSource = (options: EventSourceOptions): EventSource => {
  const { plan, queues } = options;
  const running = new Set<Promise<void>>();
  let isStopping = false;

  const runBatch = async (messages: readonly QueueMessage[]): Promise<void> => {
    try {
      const isRepeat = messages.some(({ Attributes }) => Number(Attributes.ApproximateReceiveCount) > 1);
      const answer = await options.invoke(buildSqsEvent(messages, plan.queue.arn, options.region), isRepeat);
      const succeeded = parseSucceeded(messages, answer);
      await queues.remove(
        plan.queue.url,
        succeeded.map(({ ReceiptHandle }) => ReceiptHandle),
      );
    } catch (error) {
      options.log(
        `${plan.functionName}: ${messages.length} messages will be seen again: ${String(error).slice(0, 500)}`,
      );
    }
  };

  const poll = async (): Promise<void> => {
    try {
      while (!isStopping) {
        const messages = await queues.receive(plan.queue.url, plan.batchSize);
        if (messages.length === 0 || isStopping) return;
        const run = runBatch(messages).finally(() => running.delete(run));
        running.add(run);
        if (running.size >= options.lanesMax) await Promise.race(running);
      }
    } catch (error) {
      // The queue server is closing, or broken: without it there is nothing to feed.
      if (!isStopping) options.log(`${plan.functionName}: polling ended: ${String(error)}`);
    }
  };

  void poll();
  return {
    stop: async () => {
      isStopping = true;
      const timer = new AbortController();
      await Promise.race([
        Promise.all(running),
        sleep(LOCAL_STOP_GRACE_MS, undefined, { signal: timer.signal }).catch(() => undefined),
      ]);
      timer.abort();
    },
  };
};
