/**
 * Perceive: answers commands, keeps turn order, passes on. A repeated or late message finds the
 * signal's state and only publishes again.
 */
import { defined } from '../../lib/base/defined.ts';
import { once } from '../../lib/base/once.ts';
import { resolveAddresses } from '../../lib/http/resolve-addresses.ts';
import { buildLive, liveVariables, SETTINGS_VERSION } from '../../lib/ledger/live-settings.ts';
import { buildCaps } from '../../lib/money/caps.ts';
import { PerceiveMessage } from '../../lib/signal/messages.ts';
import { buildFindListeners } from '../../lib/skills/find-listeners.ts';
import { batch, buildBatchDeps } from '../../lib/stages/batch.ts';
import { loadLate, perceive } from '../../lib/stages/perceive/perceive.ts';
import { sqsClient } from '../../lib/store/clients.ts';
import { openTable } from '../../lib/store/data-version.ts';
import { readEnvironment } from '../../lib/store/env.ts';
import { buildPublish } from '../../lib/store/queue.ts';
import { readWebhooks } from '../../lib/tools/webhooks.ts';
import { PERCEIVE_HOOKS } from '../../lib/wings/hooks/perceive.ts';
import { WINGS } from '../../lib/wings/wings.ts';

const env = readEnvironment('perceive');
const sqs = sqsClient();

const table = openTable(env);

const loadGateSets = once(async () => (await loadLate()).buildGateSets(table, env.SPACE));

const fixed = {
  wings: WINGS,
  hooks: PERCEIVE_HOOKS,
  table,
  loadMemory: once(async () => (await loadLate()).buildReadMemory(table, env.SPACE)),
  publishPerceive: buildPublish(sqs, env.PERCEIVE_QUEUE_URL),
  publishReason: buildPublish(sqs, env.REASON_QUEUE_URL),
  publishAct: buildPublish(sqs, env.ACT_QUEUE_URL),
  loadGateSet: async () => (await loadGateSets()).load(),
  findListeners: buildFindListeners(table, env.SPACE, Date.now),
  assistant: env.MEMEX_ASSISTANT,
  ...readWebhooks(env.WEBHOOK_URLS),
  isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
  resolveAddresses,
  configured: {
    ...liveVariables(),
    PROVIDERS: env.PROVIDERS,
    PROVIDER_NAMES: env.PROVIDER_NAMES.join(','),
    SPEECH_MODEL: env.SPEECH_MODEL,
  },
  now: Date.now,
};

const live = buildLive({
  table,
  space: env.SPACE,
  build: (variables) => {
    const set = readEnvironment('perceive', variables);
    return perceive({
      ...fixed,
      mandatorySkills: set.MANDATORY_SKILLS,
      providerNames: set.PROVIDER_NAMES,
      privacyTags: set.PRIVACY_FILTER_TAGS,
      eventsWithoutJob: set.EVENTS_WITHOUT_JOB,
      zone: set.TIME_ZONE,
      caps: buildCaps(set),
      ...defined({ settingsVersion: variables[SETTINGS_VERSION], homeChat: set.HOME_CHAT }),
    });
  },
});

// Read while the function starts, on more of a processor than later. A failure is left to the
// first message.
await live().catch(() => undefined);

export const handler = batch(PerceiveMessage, async (message) => (await live())(message), buildBatchDeps(sqs, env));
