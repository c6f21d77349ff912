/**
 * Triggers of functions. Each message group has one batch at a time, and groups run beside each
 * other; what did not succeed comes back after the visibility timeout.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { defined } from '../../lib/core/base/defined.ts';
import { LOCAL_STOP_GRACE_MS } from './http-front.ts';
import type { QueueMessage, QueueServer } from './queues.ts';
import type { EventSourcePlan } from './wiring.ts';

export interface ScheduleOptions {
  readonly intervalMs: number;
  /** Takes the scheduled time, epoch milliseconds. */
  readonly fire: (scheduledAtMs: number) => Promise<unknown>;
  readonly log: (line: string) => void;
}

/** The event of one tick, made from the template's input as EventBridge does. */
export const buildScheduleEvent = (input: string, scheduledAtMs: number): object => {
  const scheduledAt = new Date(scheduledAtMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const event: unknown = JSON.parse(input.replaceAll('<aws.scheduler.scheduled-time>', scheduledAt));
  if (typeof event !== 'object' || event === null) throw new Error('the input of a schedule must be a JSON object');
  return event;
};

/** The time of the latest tick that is due. */
export const alignTick = (nowMs: number, intervalMs: number): number => Math.floor(nowMs / intervalMs) * intervalMs;

/** A tick that comes while the last one runs is left out: the next one sweeps for both. */
export const startSchedule = (options: ScheduleOptions): (() => void) => {
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    const nowMs = Date.now();
    timer = setTimeout(tick, alignTick(nowMs, options.intervalMs) + options.intervalMs - nowMs);
    if (isRunning) return;
    isRunning = true;
    options
      .fire(alignTick(nowMs, options.intervalMs))
      .catch((error: unknown) => options.log(`heartbeat: ${String(error).slice(0, 500)}`))
      .finally(() => {
        isRunning = false;
      });
  };
  const nowMs = Date.now();
  timer = setTimeout(tick, alignTick(nowMs, options.intervalMs) + options.intervalMs - nowMs);
  return () => clearTimeout(timer);
};

export interface EventSourceOptions {
  readonly plan: EventSourcePlan;
  readonly region: string;
  readonly queues: Pick<QueueServer, 'receive' | 'remove'>;
  /** @param isRepeat it had one of the messages before. @throws if the run failed */
  readonly invoke: (event: unknown, isRepeat: boolean) => Promise<unknown>;
  /** Runs at a time. */
  readonly lanesMax: number;
  readonly log: (line: string) => void;
}

export interface EventSource {
  /** Gives running batches a moment to end. The next start publishes the rest again. */
  readonly stop: () => Promise<void>;
}

const BatchAnswer = z.nullish(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))) }),
);

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

/** As on Lambda, no answer or an empty list means all; an answer of another form means none. */
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
