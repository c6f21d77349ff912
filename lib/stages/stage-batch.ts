/** The queue side of a stage, put together from its environment: postponing on its own queue, burying on its DLQ. */
import type { QueueClient } from '../store/clients.ts';
import { buildLog } from '../store/log.ts';
import { buildBury, buildPostpone } from '../store/queue.ts';
import type { BatchDeps } from './batch.ts';

export const buildBatchDeps = (
  sqs: QueueClient,
  env: { readonly QUEUE_URL: string; readonly DLQ_URL: string; readonly LOG_LEVEL?: string | undefined },
): BatchDeps => ({
  bury: buildBury(sqs, env.DLQ_URL),
  postpone: buildPostpone(sqs, env.QUEUE_URL),
  log: buildLog(env.LOG_LEVEL),
});
