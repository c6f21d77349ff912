/**
 * Perceive: answers commands, keeps turn order, passes on. A repeated or late message finds the
 * signal's state and only publishes again.
 */
import { PerceiveMessage } from '../../lib/core/signal/messages.ts';
import { batch, buildBatchDeps } from '../../lib/core/stages/batch.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { wirePerceive } from './wire.ts';

const env = readEnvironment('perceive');
const sqs = sqsClient();
const { start, work } = wirePerceive(env, {
  table: openTable(env),
  publishPerceive: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  publishReason: buildPublish(sqs, env.REASON_QUEUE_URL),
  publishAct: buildPublish(sqs, env.ACT_QUEUE_URL),
});

// A failure is left to the first message.
await start();

export const handler = batch(PerceiveMessage, work, buildBatchDeps(sqs, env));
