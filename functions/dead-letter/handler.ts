/**
 * Dead letters: stores each with its reason, marks the signal and tells its person. A message read
 * twice is stored once; one that cannot be stored now stays on its queue.
 */

import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { eachRecord } from '../../lib/core/stages/batch.ts';
import { sqsClient } from '../../lib/core/store/clients.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildPublish } from '../../lib/core/store/queue.ts';
import { FAILURE_HOOKS } from '../heartbeat/features.ts';

const env = readEnvironment('dead-letter');
const table = openTable(env);
const deps = {
  table,
  publishPerceive: buildPublish(sqsClient(), env.PERCEIVE_QUEUE_URL),
  hooks: FAILURE_HOOKS,
  space: env.SPACE,
};

const record = async (message: SQSRecord): Promise<void> => {
  const { GATE_SET, recordDeadLetter } = await import('./lazy.ts');
  await recordDeadLetter(
    { ...deps, gateSet: GATE_SET, now: Date.now() },
    {
      queue: message.messageAttributes.queue?.stringValue ?? message.eventSourceARN.split(':').at(-1) ?? '',
      messageId: message.messageId,
      body: message.body,
      reason: message.messageAttributes.reason?.stringValue,
    },
  );
};

export const handler = (event: SQSEvent): Promise<SQSBatchResponse> => eachRecord(event, record);
