/**
 * Feeds one queue's messages to one function, as Lambda's event source mapping does: long polls, batches of the template's
 * size, deletes what succeeded, leaves what the function named as failed (and everything, if the run failed) to become
 * visible again after the queue's visibility timeout; the queue's own redrive policy does the rest. One batch at a time per
 * lane; another lane opens while a run takes long, so that one chat does not wait for another.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { LOCAL_POLL_WAIT_S, LOCAL_STOP_GRACE_MS } from '../../lib/limits.ts';
import type { QueueMessage, QueueServer } from './queues.ts';
import type { EventSourcePlan } from './wiring.ts';

export interface EventSourceOptions {
  readonly plan: EventSourcePlan;
  readonly region: string;
  readonly queues: Pick<QueueServer, 'receive' | 'remove'>;
  /** Runs the function. @throws when the run failed */
  readonly invoke: (event: unknown) => Promise<unknown>;
  readonly lanesMax: number;
  /** A run that takes longer opens another lane. */
  readonly growMs: number;
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
          ...(StringValue === undefined ? {} : { stringValue: StringValue }),
          ...(BinaryValue === undefined ? {} : { binaryValue: BinaryValue }),
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
  let lanes = 0;

  const runBatch = async (messages: readonly QueueMessage[]): Promise<void> => {
    try {
      const answer = await options.invoke(buildSqsEvent(messages, plan.queue.arn, options.region));
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

  const openLane = async (isFirst: boolean): Promise<void> => {
    lanes += 1;
    try {
      while (!isStopping) {
        const messages = await queues.receive(plan.queue.url, plan.batchSize, isFirst ? LOCAL_POLL_WAIT_S : 1);
        if (messages.length === 0 && !isFirst) return;
        if (messages.length === 0 || isStopping) continue;
        const timer = setTimeout(() => {
          if (lanes < options.lanesMax && !isStopping) void openLane(false);
        }, options.growMs);
        const run = runBatch(messages);
        running.add(run);
        await run;
        running.delete(run);
        clearTimeout(timer);
      }
    } catch (error) {
      // The queue server is closing, or broken: without it there is nothing to feed.
      if (!isStopping) options.log(`${plan.functionName}: polling ended: ${String(error)}`);
    } finally {
      lanes -= 1;
    }
  };

  void openLane(true);
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
