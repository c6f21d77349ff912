/**
 * Reason: asks the model, judges its proposal, stores the decision; a repeated message never pays
 * again. One message at a time, so that one crash silences one conversation.
 */
import { ReasonMessage } from '../../lib/core/signal/messages.ts';
import { batch, buildBatchDeps } from '../../lib/core/stages/batch.ts';
import { readReasonEnv } from '../../lib/core/stages/reason/reason-deps.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { wireReason } from './wire.ts';

const env = readReasonEnv();
const sqs = sqsClient();
const { start, work } = wireReason(env, {
  table: openTable(env),
  publishAct: buildPublish(sqs, env.ACT_QUEUE_URL),
  publishReason: buildPublish(sqs, env.QUEUE_URL),
  publishDraft: buildPublish(sqs, env.ACT_QUEUE_URL),
});

// A failure is left to the first message.
await start();

export const handler = batch(ReasonMessage, work, buildBatchDeps(sqs, env));
