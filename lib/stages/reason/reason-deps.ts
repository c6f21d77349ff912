/** Puts Reason's dependencies together from environment and secrets. One `ask` per process keeps connections warm. */

import { VERSION } from '../../base/version.ts';
import { GATE_SET } from '../../gates/engine/gate-set.ts';
import { resolveAddresses } from '../../http/resolve-addresses.ts';
import { buildLoadPolicy, importCedar } from '../../judge/policy/space-policy.ts';
import { canonicalUrl, canonicalWebhooks } from '../../judge/webhook-urls.ts';
import { askCascade } from '../../llm/cascade.ts';
import { buildTableSelector } from '../../llm/choose-model.ts';
import { buildOpenAiAsk } from '../../llm/openai-client.ts';
import { buildCascade, findProvider, promptTokensMax, splitProviderKeys } from '../../llm/providers.ts';
import { buildCaps, buildCosts } from '../../money/caps.ts';
import type { EmbedTexts } from '../../prompt/embeddings/embed-texts.ts';
import { buildEndpoint, keyOfProvider } from '../../prompt/embeddings/embed-texts.ts';
import { buildLog } from '../../store/log.ts';
import type { Secrets } from '../../store/secrets.ts';
import type { DraftDeps } from './draft.ts';
import type { LookWithVector } from './look-at-memory.ts';
import type { ReasonEnv } from './reason-env.ts';
import type { ReasonDeps } from './reason-ports.ts';

const ask = buildOpenAiAsk();

/** Loaded with the first question about what is remembered, where an endpoint makes vectors; kept, and its connections with it. */
let embed: EmbedTexts | undefined;
const loadAskVector = async () => {
  const [{ buildAskVector }, { buildEmbedTexts }] = await Promise.all([
    import('../../prompt/embeddings/ask-vector.ts'),
    import('../../prompt/embeddings/embed-texts.ts'),
  ]);
  embed ??= buildEmbedTexts();
  return { embed, buildAskVector };
};

const loadPolicy = buildLoadPolicy(importCedar);

const isOn = (setting: 'on' | 'off'): boolean => setting === 'on';

export const buildReasonDeps = (
  env: ReasonEnv,
  secrets: Secrets,
  parts: Pick<ReasonDeps, 'table' | 'publishAct' | 'publishReason'> & {
    readonly lookAtMemory: LookWithVector;
    readonly publishDraft: DraftDeps['publish'];
  },
): ReasonDeps => {
  const providers = buildCascade(env, secrets);
  const log = buildLog(env.LOG_LEVEL);
  const endpoint = buildEndpoint(env, keyOfProvider(providers));
  return {
    ...parts,
    lookAtMemory: async (turn, now) => {
      if (endpoint === undefined || turn.memoryHead === undefined) return parts.lookAtMemory(turn, now);
      const { embed, buildAskVector } = await loadAskVector();
      const vector = buildAskVector({
        endpoint,
        embed,
        table: parts.table,
        space: env.SPACE,
        caps: buildCaps(env),
        secrets: splitProviderKeys(secrets),
        log: (line) => log('warn', 'question-not-embedded', { line }),
      });
      return parts.lookAtMemory(turn, now, vector);
    },
    gateSet: GATE_SET,
    ask: (prompt, remainingMs, asked) =>
      askCascade({
        providers: asked.providers.flatMap((wanted) => findProvider(providers, wanted)),
        request: prompt,
        ask,
        remainingMs,
        shrink: asked.shrink,
        hear: asked.hear,
        log: (line) => log('warn', 'provider-failed', { line }),
      }),
    identity: { assistant: env.MEMEX_ASSISTANT, user: env.MEMEX_USER, zone: env.TIME_ZONE, version: VERSION },
    providerNames: providers.map((provider) => provider.name),
    promptTokensMax: promptTokensMax(providers),
    // Keys inside a secret's JSON are secrets of their own.
    secrets: splitProviderKeys(secrets),
    webhookUrls: canonicalWebhooks(env.WEBHOOK_URLS, canonicalUrl),
    privacyTags: env.PRIVACY_FILTER_TAGS,
    isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
    eventLinkHosts: env.EVENT_LINK_HOSTS,
    resolveAddresses,
    loadPolicy,
    budget: {
      caps: buildCaps(env),
      providers,
      webhookCosts: buildCosts(env),
      homeChat: env.HOME_CHAT ?? '',
    },
    onDaySpent: () => log('warn', 'budget-spent'),
    consensusProviders: env.CONSENSUS_PROVIDERS,
    drafts: isOn(env.STREAMING) ? { table: parts.table, publish: parts.publishDraft, now: Date.now } : undefined,
    atWork: {
      type: ({ space, session, id: signalId }) =>
        parts.publishDraft({ stage: 'draft', v: 1, space, session, signalId }, `typing:${Date.now()}`),
    },
    selectModel: buildTableSelector(env.MODEL_RULES),
    now: Date.now,
  };
};
