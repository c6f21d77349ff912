/**
 * Reason: asks the model, judges its proposal, stores the decision; a repeated message never pays
 * again. One message at a time, so that one crash silences one conversation.
 */

import { once } from '../../lib/base/once.ts';
import { buildLive } from '../../lib/ledger/live-settings.ts';
import { clockText } from '../../lib/prompt/system-section.ts';
import { ReasonMessage } from '../../lib/signal/messages.ts';
import { buildGateSets } from '../../lib/skills/gate-sets.ts';
import { batch, buildBatchDeps } from '../../lib/stages/batch.ts';
import type { LookWithVector } from '../../lib/stages/reason/look-at-memory.ts';
import { reason } from '../../lib/stages/reason/reason.ts';
import {
  askToType,
  buildReasonDeps,
  loadLate,
  type ReasonEnv,
  readReasonEnv,
} from '../../lib/stages/reason/reason-deps.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { openTable } from '../../lib/store/data-version.ts';
import { buildLog } from '../../lib/store/log.ts';
import { buildPublish } from '../../lib/store/queue.ts';
import { buildReadSecrets, type Secrets } from '../../lib/store/secrets.ts';
import { secretsOf } from '../../lib/store/settings.ts';
import { loadParts } from '../../lib/tools/tool.ts';

const env = readReasonEnv();
const sqs = sqsClient();
const table = openTable(env);
const log = buildLog(env.LOG_LEVEL);

// Loads the calendar of the zone while the function starts, on more of a processor than later: the
// first prompt would wait a fifth of a second for it.
clockText(Date.now(), env.TIME_ZONE);

const live = buildLive({ table, space: env.SPACE, build: readReasonEnv });

// Loaded with the first turn of a space that remembers anything, and kept: it holds memory's view.
let look: { readonly of: ReasonEnv; readonly at: LookWithVector } | undefined;
const lookAtMemory: LookWithVector = async (turn, ...rest) => {
  if (turn.memoryHead === undefined) return undefined;
  const { buildLookAtMemory } = await loadLate();
  const set = await live();
  if (look?.of !== set) {
    const at = buildLookAtMemory({
      table,
      space: env.SPACE,
      privacyTags: set.PRIVACY_FILTER_TAGS,
      threshold: set.CONTEXT_SEMANTIC_THRESHOLD,
      log: (line) => log('error', 'memory-unreadable', { line }),
    });
    look = { of: set, at };
  }
  return look.at(turn, ...rest);
};

const parts = {
  table,
  gateSets: buildGateSets(table, env.SPACE),
  publishAct: buildPublish(sqs, env.ACT_QUEUE_URL),
  publishReason: buildPublish(sqs, env.QUEUE_URL),
  publishDraft: buildPublish(sqs, env.ACT_QUEUE_URL),
  lookAtMemory,
};
const readSecrets = buildReadSecrets(secretsOf('reason'));

/** A cascade that was set while it runs and names a provider without a key changes nothing. */
const depsOf = (set: ReasonEnv, secrets: Secrets) => {
  try {
    return buildReasonDeps(set, secrets, parts);
  } catch (error) {
    if (set.PROVIDER_CASCADE === env.PROVIDER_CASCADE) throw error;
    log('error', 'cascade-not-usable', { problem: String(error) });
    return buildReasonDeps({ ...set, PROVIDER_CASCADE: env.PROVIDER_CASCADE }, secrets, parts);
  }
};

/**
 * Loads what judges calls of tools once the first decision of a process is published: a small share
 * of a processor takes half a second for it. A failure is left to the turn that needs it.
 */
const preload = once(() => Promise.allSettled([loadLate(), loadParts()]));

// Read while the function starts, on more of a processor than later. A failure is left to the
// first message.
await Promise.allSettled([live(), readSecrets(Date.now())]);

/** After a pause Act is as fresh as this process: a sign of life wakes it meanwhile. */
let woken: Promise<void> | undefined;

const stage = async (message: ReasonMessage, remainingMs: () => number): Promise<void> => {
  woken ??= askToType(parts.publishDraft, message).catch(() => undefined);
  await reason(depsOf(await live(), await readSecrets(Date.now())))(message, remainingMs);
  await woken;
  await preload();
};

export const handler = batch(ReasonMessage, stage, buildBatchDeps(sqs, env));
