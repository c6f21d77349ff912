/**
 * Log: gives stored records their leaves and signs checkpoints, which no other function can. The
 * heartbeat's message comes back once half-way to the next minute.
 */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { findAnchors } from '../../lib/core/log/anchor-bucket.ts';
import { LogMessage } from '../../lib/core/signal/messages.ts';
import { batch, buildBatchDeps } from '../../lib/core/stages/batch.ts';
import { buildWriter } from '../../lib/core/stages/upkeep/writer.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildPublishLog } from '../../lib/core/store/queue.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { COSIGNERS } from './features.ts';

const env = readEnvironment('log');
const sqs = sqsClient();
const batchDeps = buildBatchDeps(sqs, env);
const write = buildWriter({
  table: openTable(env),
  space: env.SPACE,
  readSecrets: buildReadSecrets(secretsOf('log')),
  wake: buildPublishLog(sqs, env.LOG_QUEUE_URL, env.SPACE),
  anchors: findAnchors(env),
  loadCosigner: COSIGNERS[0]?.(env),
  loadGateSet: async () => (await import('../../lib/core/gates/engine/gate-set.ts')).GATE_SET,
  log: batchDeps.log,
  now: Date.now,
});

export const handler = (event: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
  batch(LogMessage, write, batchDeps)(event, context);
