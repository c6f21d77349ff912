/**
 * Heartbeat, each minute and without a model (I12): publishes unfinished signals again and starts
 * what is due. A tick delivered twice or late does the rest of what the other did. A local start,
 * with empty queues, sends `recover`.
 */
import * as z from 'zod/mini';
import { parseWith } from '../../lib/core/base/json.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openRaisingTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import {
  buildPublish,
  buildPublishForgetAgain,
  buildPublishLog,
  buildPublishMany,
  buildSendOrder,
} from '../../lib/core/store/queue.ts';
import { wireHeartbeat } from './wire.ts';

const env = readEnvironment('heartbeat');
const sqs = sqsClient();
const publishLog = buildPublishLog(sqs, env.LOG_QUEUE_URL, env.SPACE);
const { tick } = wireHeartbeat(env, {
  table: openRaisingTable(env),
  publishPerceive: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  publishManyPerceive: buildPublishMany(sqs, env.PERCEIVE_QUEUE_URL),
  sendOrderOf: buildSendOrder(sqs, env.RUNNER_QUEUE_URLS),
  wakeLog: (why) => publishLog(why, 0, Date.now()),
  forgetAgain: buildPublishForgetAgain(sqs, env.ACT_QUEUE_URL, env.SPACE),
  log: buildLog(env.LOG_LEVEL),
});

const Tick = z.object({ scheduledAt: z.union([z.string(), z.number()]), recover: z.optional(z.boolean()) });

export const handler = async (event: unknown) => {
  const { scheduledAt, recover = false } = parseWith('tick', event, Tick);
  return tick(String(scheduledAt), recover);
};
