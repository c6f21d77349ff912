/**
 * Takes single messages from an SQS batch. If work on one fails, the table of `recover-failure.ts`
 * says what follows: it is buried on the dead-letter queue with its reason, or seen again later. A
 * failed message holds back the later ones of its group and no others.
 */
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { NewerDataError, PassepartoutError, RetryLaterError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { BODY_BYTES_MAX, RECEIVE_COUNT_MAX } from '../base/limits.ts';
import { chooseNextDelivery, describeFailure } from '../ledger/recover-failure.ts';
import type { QueueClient } from '../store/clients.ts';
import { checkDataAgain, type TableEnv } from '../store/data-version.ts';
import { buildLog, type Log } from '../store/log.ts';
import { buildBury, buildPostpone } from '../store/queue.ts';

export interface BatchDeps {
  /** Puts a message on the dead-letter queue: body, group, message id, reason. */
  readonly bury: (body: string, groupId: string, messageId: string, reason: string) => Promise<void>;
  /** Makes a received message visible again after so many seconds. */
  readonly postpone: (receiptHandle: string, delayS: number) => Promise<void>;
  /** @throws NewerDataError if a newer release has begun to write since this process started */
  readonly checkData: () => Promise<unknown>;
  readonly log: Log;
}

export type StageHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** Works on one message. `seeAgain` asks for it once more, later. */
export type Work<Message> = (
  message: Message,
  remainingMs: () => number,
  seeAgain: (afterMs: number) => void,
) => Promise<void>;

const LOGGED = {
  again: ['warn', 'message-retried'],
  leave: ['warn', 'message-left'],
  abort: ['error', 'message-buried'],
} as const;

/** Works on records in order. The failed, and the later ones of their groups, stay on the queue. */
export const eachRecord = async (
  { Records }: SQSEvent,
  work: (record: SQSRecord) => Promise<void>,
): Promise<SQSBatchResponse> => {
  const held = new Set<string>();
  const failed: string[] = [];
  for (const record of Records) {
    const group = record.attributes.MessageGroupId ?? record.messageId;
    if (!held.has(group)) await work(record).catch(() => held.add(group));
    if (held.has(group)) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
};

/** Makes the handler of a stage's queue from work on single messages. */
export const batch =
  <Message>(schema: z.ZodMiniType<Message>, work: Work<Message>, deps: BatchDeps): StageHandler =>
  (event, context) =>
    eachRecord(event, (record) => handleRecord(schema, work, deps, record, () => context.getRemainingTimeInMillis()));

const handleRecord = async <Message>(
  schema: z.ZodMiniType<Message>,
  work: Work<Message>,
  deps: BatchDeps,
  record: SQSRecord,
  remainingMs: () => number,
): Promise<void> => {
  const receiveCount = Number(record.attributes.ApproximateReceiveCount);
  const postpone = (afterMs: number) => deps.postpone(record.receiptHandle, Math.ceil(afterMs / 1000));
  let againMs: number | undefined;
  const seeAgain = (afterMs: number): void => {
    againMs = afterMs;
  };
  try {
    if (record.body.length > BODY_BYTES_MAX)
      throw new PassepartoutError('message is larger than any stage sends', false);
    await work(parseJson('queue message', record.body, schema), remainingMs, seeAgain);
  } catch (thrown) {
    const error = await findCause(thrown, receiveCount, deps);
    const reason = describeFailure(error);
    const next = chooseNextDelivery(error, receiveCount);
    const [level, event] = LOGGED[next.kind];
    deps.log(level, event, { messageId: record.messageId, receiveCount, reason });
    if (next.kind === 'leave') return;
    if (next.kind === 'again') {
      await postpone(next.afterMs);
      throw error;
    }
    const groupId = record.attributes.MessageGroupId ?? record.messageId;
    return deps.bury(record.body, groupId, record.messageId, reason);
  }
  if (againMs === undefined || receiveCount >= RECEIVE_COUNT_MAX) return;
  await postpone(againMs);
  // Not a failure, but only failed messages stay on the queue.
  throw new RetryLaterError('to be seen again', againMs);
};

/** A message that would be buried waits if it may be of a newer release, or about its rows. */
const findCause = async (error: unknown, receiveCount: number, { checkData }: BatchDeps): Promise<unknown> => {
  if (chooseNextDelivery(error, receiveCount).kind !== 'abort') return error;
  const problem = await checkData().catch((found: unknown) => found);
  return problem instanceof NewerDataError ? problem : error;
};

/** The queue side of a stage: it postpones on its own queue and buries on the dead-letter queue. */
export const buildBatchDeps = (
  sqs: QueueClient,
  env: TableEnv & { readonly QUEUE_URL: string; readonly DLQ_URL: string; readonly LOG_LEVEL?: string | undefined },
): BatchDeps => ({
  checkData: () => checkDataAgain(env),
  bury: buildBury(sqs, env),
  postpone: buildPostpone(sqs, env.QUEUE_URL),
  log: buildLog(env.LOG_LEVEL),
});
