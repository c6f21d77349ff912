/**
 * Act performs decisions off `act.fifo`. It alone holds the bot token and the webhook secrets (I2).
 * A repeated message performs nothing twice.
 */
import * as z from 'zod/mini';
import { ActMessage, DraftMessage, ForgetAgainMessage } from '../../lib/core/signal/messages.ts';
import { batch, buildBatchDeps } from '../../lib/core/stages/batch.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildPublish, buildSendOrder } from '../../lib/core/store/queue.ts';
import { wireAct } from './wire.ts';

// Loads Node's fetch while the function starts: the first message would wait a tenth of a second.
new Headers();

const env = readEnvironment('act');
const sqs = sqsClient();
const { start, work } = wireAct(env, {
  table: openTable(env),
  publishPerceive: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  sendOrder: buildSendOrder(sqs, env.RUNNER_QUEUE_URLS),
});

// A failure is left to the first message.
await start();

export const handler = batch(
  z.discriminatedUnion('stage', [ActMessage, ForgetAgainMessage, DraftMessage]),
  work,
  buildBatchDeps(sqs, env),
);
