/**
 * Reason: takes signals off `reason.fifo`, asks the model, judges its proposal, stores the decision. (design 4.3)
 * Trigger: SQS FIFO, one message at a time, so that one crash silences one conversation. A repeated message finds the
 * stored attempts and the decision and never pays for them again. Holds provider keys; can send nothing to a person.
 */
import { sqsClient } from '../../lib/aws/clients.ts';
import { openTable } from '../../lib/aws/data-version.ts';
import { buildLog } from '../../lib/aws/log.ts';
import { buildPublish } from '../../lib/aws/queue.ts';
import { buildReadSecrets } from '../../lib/aws/secrets.ts';
import { buildBatchDeps } from '../../lib/aws/stage-batch.ts';
import { PROVIDER_KEY_NAMES } from '../../lib/llm/providers.ts';
import { batch } from '../../lib/pipeline/batch.ts';
import type { LookWithVector } from '../../lib/pipeline/reason/look-at-memory.ts';
import { buildReasonDeps } from '../../lib/pipeline/reason/reason-deps.ts';
import { readReasonEnv } from '../../lib/pipeline/reason/reason-env.ts';
import { reason } from '../../lib/pipeline/reason.ts';
import { ReasonMessage } from '../../lib/signal/messages.ts';

const env = readReasonEnv();
const sqs = sqsClient();
const table = openTable(env);
const log = buildLog(env.LOG_LEVEL);

// Loaded with the first turn of a space that remembers anything, and kept: it holds memory's view.
let look: LookWithVector | undefined;
const lookAtMemory: LookWithVector = async (turn, ...rest) => {
  if (turn.memoryHead === undefined) return undefined;
  const { buildLookAtMemory } = await import('../../lib/pipeline/reason/look-at-memory.ts');
  look ??= buildLookAtMemory({
    table,
    space: env.SPACE,
    privacyTags: env.PRIVACY_FILTER_TAGS,
    threshold: env.CONTEXT_SEMANTIC_THRESHOLD,
    log: (line) => log('error', 'memory-unreadable', { line }),
  });
  return look(turn, ...rest);
};

const parts = {
  table,
  publishAct: buildPublish(sqs, env.ACT_QUEUE_URL),
  publishReason: buildPublish(sqs, env.QUEUE_URL),
  publishDraft: buildPublish(sqs, env.ACT_QUEUE_URL),
  lookAtMemory,
};
const readSecrets = buildReadSecrets(PROVIDER_KEY_NAMES);

export const handler = batch(
  ReasonMessage,
  async (message: ReasonMessage, remainingMs) =>
    reason(buildReasonDeps(env, await readSecrets(Date.now()), parts))(message, remainingMs),
  buildBatchDeps(sqs, env),
);
