/**
 * Act performs decisions off `act.fifo`. It alone holds the bot token and the webhook secrets (I2).
 * A repeated message performs nothing twice.
 */

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { buildActuators, loadLate } from '../../lib/actuators/actuators.ts';
import type { ToolSet } from '../../lib/actuators/tool-set.ts';
import { SECOND_MS } from '../../lib/base/limits.ts';
import { once } from '../../lib/base/once.ts';
import { showDraft } from '../../lib/channels/show-draft.ts';
import { resolveAddresses } from '../../lib/http/resolve-addresses.ts';
import { homeOf } from '../../lib/jobs/home.ts';
import { buildLoadPolicy, importCedar } from '../../lib/judge/policy/space-policy.ts';
import { buildLive } from '../../lib/ledger/live-settings.ts';
import { buildActCosts, buildCaps } from '../../lib/money/caps.ts';
import { ActMessage, DraftMessage, ForgetAgainMessage } from '../../lib/signal/messages.ts';
import type { Signal } from '../../lib/signal/signal.ts';
import { buildGateSets } from '../../lib/skills/gate-sets.ts';
import { act } from '../../lib/stages/act/act.ts';
import { type ForgetLate, loadLate as loadActLate } from '../../lib/stages/act/act-context.ts';
import { batch, buildBatchDeps } from '../../lib/stages/batch.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { openTable } from '../../lib/store/data-version.ts';
import { readEnvironment } from '../../lib/store/env.ts';
import { buildPublish, buildSendOrder } from '../../lib/store/queue.ts';
import { buildReadSecrets } from '../../lib/store/secrets.ts';
import { secretsOf } from '../../lib/store/settings.ts';
import type { LearningPowers } from '../../lib/tools/learning.ts';
import { loadParts } from '../../lib/tools/tool.ts';
import { readWebhooks } from '../../lib/tools/webhooks.ts';
import { ENDING_HOOKS } from '../../lib/wings/hooks/ending.ts';

// Loads Node's fetch while the function starts: the first message would wait a tenth of a second.
new Headers();

const env = readEnvironment('act');
const sqs = sqsClient();
const table = openTable(env);
const readSecrets = buildReadSecrets(secretsOf('act'));
const newId = () => randomBytes(16).toString('hex');
const sendOrder = buildSendOrder(sqs, env.RUNNER_QUEUE_URLS);
const gateSets = buildGateSets(table, env.SPACE);
const fixed = {
  table,
  publishPerceive: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  gateSets,
  ...readWebhooks(env.WEBHOOK_URLS),
  isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
  resolveAddresses,
  loadPolicy: buildLoadPolicy(importCedar),
  describeOffer: async (...offer: Parameters<LearningPowers['describe']>) =>
    (await loadToolSet()).powers.learning.describe(...offer),
  newId,
  hooks: ENDING_HOOKS,
  stackRun: env.STACK_RUN,
  page: env.CONSOLE_URL,
  now: Date.now,
};

const live = buildLive({
  table,
  space: env.SPACE,
  build: (variables) => {
    const set = readEnvironment('act', variables);
    return {
      env: set,
      settings: {
        allowedChats: set.TELEGRAM_ALLOWED_CHATS,
        privacyTags: set.PRIVACY_FILTER_TAGS,
        budget: { caps: buildCaps(set), webhookCosts: buildActCosts(set) },
        homeChat: set.HOME_CHAT,
        zone: set.TIME_ZONE,
      },
    };
  },
});

/** Cached until a setting changes. */
let toolSet: { readonly of: object; readonly tools: ToolSet } | undefined;
const loadToolSet = async (): Promise<ToolSet> => {
  const { buildToolSet } = await loadLate();
  const set = await live();
  const { HOME_CHAT, DEFAULT_ACTUATOR, PRIVACY_FILTER_TAGS: privacyTags, TIME_ZONE: zone } = set.env;
  if (toolSet?.of !== set) {
    const home = homeOf(HOME_CHAT, DEFAULT_ACTUATOR);
    toolSet = {
      of: set,
      tools: buildToolSet(table, env.SPACE, fixed.publishPerceive, { ...fixed, home, privacyTags, rights: env, zone }),
    };
  }
  return toolSet.tools;
};

const forgetLate: ForgetLate = async (signal, shown) => {
  const late = await loadLate();
  return late.forgetLate({ ...(await loadToolSet()), newId, now: Date.now }, signal, shown);
};

const forgetAgain = async (remainingMs: () => number): Promise<void> => {
  const late = await loadLate();
  return late.forgetAgain({ table, space: env.SPACE, ...(await loadToolSet()), newId, now: Date.now }, remainingMs);
};

/**
 * Loads the code of tools once the first answer of a process is on its way: a small share of a
 * processor takes half a second for it, and the next message may call a tool. A failure is left to
 * that call.
 */
const preload = once(() => Promise.allSettled([loadLate(), loadActLate(), loadParts()]));

const stage = async (
  message: ActMessage | ForgetAgainMessage | DraftMessage,
  remainingMs: () => number,
): Promise<void> => {
  if (message.stage === 'forget-again') return forgetAgain(remainingMs);
  const secrets = await readSecrets(Date.now());
  const { env, settings } = await live();
  const registry = buildActuators({ env, secrets, table, loadToolSet, newId, sendOrder });
  const type = async ({ reply }: Signal) => (await registry.senders.get(reply.target)?.())?.sendTyping(reply);
  if (message.stage === 'draft') return showDraft({ ...registry, table, isInForce: gateSets.isInForce })(message);
  const atWork = { type, afterMs: env.AT_WORK_SECONDS * SECOND_MS };
  await act({ ...fixed, ...settings, ...registry, forgetLate, atWork, remainingMs })(message);
  await preload();
};

// Read while the function starts, on more of a processor than later. A failure is left to the
// first message.
await Promise.allSettled([live(), readSecrets(Date.now())]);

export const handler = batch(
  z.discriminatedUnion('stage', [ActMessage, ForgetAgainMessage, DraftMessage]),
  stage,
  buildBatchDeps(sqs, env),
);
