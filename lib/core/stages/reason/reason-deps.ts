/** The dependencies of Reason, from its environment, and the context of one turn. */

import { defined } from '../../base/defined.ts';
import { SECOND_MS } from '../../base/limits.ts';
import { VERSION } from '../../base/version.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import type { Setup } from '../../judge/fact-sources.ts';
import { type EventLinkHosts, parseEventLinkHosts } from '../../judge/listed-links.ts';
import { loadPolicy } from '../../judge/load-policy.ts';
import type { Notice } from '../../judge/notices.ts';
import type { LoadPolicy, SpacePolicy } from '../../judge/space-policy.ts';
import { SETTINGS_VERSION } from '../../ledger/live-settings.ts';
import { askCascade, type CascadeAnswer } from '../../llm/cascade.ts';
import type { Hear } from '../../llm/chat.ts';
import { type ModelRule, parseModelRules } from '../../llm/choose-model.ts';
import { buildOpenAiAsk } from '../../llm/openai-client.ts';
import type { Priced } from '../../llm/prices.ts';
import { takesPictures } from '../../llm/provider-table.ts';
import { buildCascade, findProvider, promptTokensMax, windowOf } from '../../llm/providers.ts';
import { buildCaps, buildCosts } from '../../money/caps.ts';
import { hasPictures, type Prompt } from '../../prompt/build-prompt.ts';
import { buildEmbedTexts, buildEndpoint, keyOfProvider } from '../../prompt/embeddings/embed-texts.ts';
import type { SessionSummary } from '../../prompt/prompt-input.ts';
import type { Attempt } from '../../signal/decision.ts';
import type { ActMessage, ReasonMessage } from '../../signal/messages.ts';
import { readEnvironment } from '../../store/env.ts';
import type { Log } from '../../store/log.ts';
import type { Publish } from '../../store/queue.ts';
import type { Secrets } from '../../store/secrets.ts';
import type { Variables } from '../../store/settings.ts';
import type { Table } from '../../store/table.ts';
import { secretValuesOf } from '../../text/secret-values.ts';
import { servicesOf } from '../../tools/services.ts';
import { readWebhooks } from '../../tools/webhooks.ts';
import type { AtWorkDeps } from '../at-work.ts';
import type { GateSets } from '../gate-sets.ts';
import type { Budget, Spending } from '../spending.ts';
import type { DraftDeps } from './draft.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { LookAtMemory, LookedAt, LookWithVector } from './look-at-memory.ts';
import type { TurnPart } from './reason-feature.ts';

interface AskOptions {
  /** In the order they are asked. */
  readonly providers: readonly Pick<Priced, 'name' | 'model' | 'tier'>[];
  /** Makes the prompt shorter for a provider with a smaller window. */
  readonly shrink: (tokensMax: number) => Prompt | undefined;
  /** Hears the answer as it comes. */
  readonly hear?: Hear | undefined;
}

export interface ReasonDeps {
  readonly table: Pick<Table, 'load' | 'query' | 'put' | 'update' | 'transact'>;
  readonly publishAct: Publish<ActMessage>;
  /** Brings a signal back while no model can be reached. */
  readonly publishReason: Publish<ReasonMessage>;
  readonly gateSet: GateSet;
  /** Asks the cascade, within the invocation's remaining time. */
  readonly ask: (prompt: Prompt, remainingMs: () => number, options: AskOptions) => Promise<CascadeAnswer>;
  readonly identity: {
    readonly assistant: string;
    readonly user: string;
    readonly zone: string;
    readonly version: string;
  };
  readonly models: {
    readonly names: readonly string[];
    readonly promptTokensMax: number;
    /** Window of the first provider's model; undefined without a provider. */
    readonly modelTokens?: number | undefined;
    /** The largest window of a model that takes pictures. */
    readonly windowTokens: number;
    /** These may name a model for a question, or leave providers out. */
    readonly rules: readonly ModelRule[];
    /** Models asked about a proposal of high impact, the first one included. */
    readonly opinions: number;
  };
  /** Facts of this installation for the gates. */
  readonly setup: Required<Setup>;
  /** Hosts whose links in events may be shown as links; none if absent. */
  readonly eventLinkHosts?: EventLinkHosts;
  readonly loadPolicy: LoadPolicy;
  readonly lookAtMemory: LookAtMemory;
  readonly budget: Budget;
  /** Of the stored live settings that all of these were made with; absent if none is stored. */
  readonly settingsVersion?: string | undefined;
  /** Called when the day's money or tokens have no room for a question. */
  readonly onDaySpent?: () => void;
  /** Streams answers; absent if streaming is off. */
  readonly drafts?: DraftDeps | undefined;
  /** Shows signs of life of a long turn. */
  readonly atWork?: Pick<AtWorkDeps, 'type' | 'afterMs'> | undefined;
  readonly now: () => number;
}

/** The dependencies of Reason; the turn's gate set comes with the turn. */
export type ReasonStageDeps = Omit<ReasonDeps, 'gateSet'> & { readonly gateSets: Pick<GateSets, 'of'> };

/** One turn that is being worked on: shared by its attempts, and changed by each. */
export interface TurnContext {
  readonly deps: ReasonDeps;
  readonly turn: LoadedTurn;
  readonly policy: SpacePolicy;
  readonly memory: LookedAt | undefined;
  readonly summary: SessionSummary | undefined;
  /** Of a feature. */
  readonly part: TurnPart | undefined;
  /** The only tools that the words of the turn's job leave; all if absent. */
  readonly jobTools: readonly string[] | undefined;
  readonly remainingMs: () => number;
  /** Stored by an earlier delivery, which died before its decision was. */
  readonly accepted: Attempt | undefined;
  /** Oldest first. */
  readonly rejected: Attempt[];
  /** Texts for the owner, sent with the decision. */
  readonly notices: Notice[];
  /** As of the last reservation. */
  spending: Spending;
}

export const loadLazy = () => import('./lazy.ts');

const PARSERS = { MODEL_RULES: parseModelRules, EVENT_LINK_HOSTS: parseEventLinkHosts };

/** Reads the environment, without secrets. @throws ConfigError naming each faulty variable */
export const readReasonEnv = (source?: Variables) => ({
  ...readEnvironment('reason', source, PARSERS),
  ...defined({ settingsVersion: source?.[SETTINGS_VERSION] }),
});
export type ReasonEnv = ReturnType<typeof readReasonEnv>;

const askProvider = buildOpenAiAsk();

const embed = buildEmbedTexts();

type Given = 'table' | 'publishAct' | 'publishReason' | 'gateSets' | 'now';
export interface ReasonParts extends Pick<ReasonStageDeps, Given> {
  readonly resolveAddresses: Required<Setup>['resolveAddresses'];
  readonly lookAtMemory: LookWithVector;
  readonly publishDraft: DraftDeps['publish'];
  readonly log: Log;
  /** Asks somebody else than the configured providers. */
  readonly ask?: ReasonDeps['ask'];
}

/** Compares the question's vector with memory, if an endpoint makes vectors. */
const buildLook = (
  env: ReasonEnv,
  secrets: Secrets,
  { table, lookAtMemory, log }: ReasonParts,
  endpoint: ReturnType<typeof buildEndpoint>,
): LookAtMemory => {
  if (endpoint === undefined) return lookAtMemory;
  return async (turn, now) => {
    if (turn.memory.head === undefined) return lookAtMemory(turn, now);
    const { buildAskVector } = await loadLazy();
    const vector = buildAskVector({
      endpoint,
      embed,
      table,
      space: env.SPACE,
      caps: buildCaps(env),
      secrets: secretValuesOf(secrets),
      log: (line) => log('warn', 'question-not-embedded', { line }),
    });
    return lookAtMemory(turn, now, vector);
  };
};

/** Asks Act to show in the chat that a turn is worked on. */
export const askToType = (
  publish: ReasonParts['publishDraft'],
  { space, session, signalId }: Pick<ReasonMessage, 'space' | 'session' | 'signalId'>,
  now: number,
): Promise<void> => publish({ stage: 'draft', v: 1, space, session, signalId }, `typing:${now}`);

/** Puts the dependencies together. One `ask` per process keeps connections warm. */
export const buildReasonDeps = (env: ReasonEnv, secrets: Secrets, parts: ReasonParts): ReasonStageDeps => {
  const providers = buildCascade(env, secrets);
  const { log, now, resolveAddresses, publishDraft, ...given } = parts;
  return {
    ...given,
    now,
    lookAtMemory: buildLook(env, secrets, parts, buildEndpoint(env, keyOfProvider(providers))),
    ask:
      parts.ask ??
      (async (prompt, remainingMs, options) => {
        const shown = hasPictures(prompt) ? { pictureData: await (await loadLazy()).loadPictures(env, prompt) } : {};
        return askCascade({
          providers: options.providers.flatMap((wanted) => findProvider(providers, wanted)),
          request: { ...prompt, ...shown },
          ask: askProvider,
          remainingMs,
          shrink: (tokensMax) => {
            const shrunk = options.shrink(tokensMax);
            return shrunk && { ...shrunk, ...shown };
          },
          hear: options.hear,
          log: (line) => log('warn', 'provider-failed', { line }),
        });
      }),
    identity: { assistant: env.MEMEX_ASSISTANT, user: env.MEMEX_USER, zone: env.TIME_ZONE, version: VERSION },
    models: {
      names: providers.map((provider) => provider.name),
      promptTokensMax: promptTokensMax(providers),
      modelTokens: providers[0]?.contextTokens,
      windowTokens: Math.max(0, ...providers.filter(takesPictures).map(windowOf)),
      rules: env.MODEL_RULES,
      opinions: env.CONSENSUS_PROVIDERS,
    },
    setup: {
      ...readWebhooks(env.WEBHOOK_URLS),
      secrets: secretValuesOf(secrets),
      privacyTags: env.PRIVACY_FILTER_TAGS,
      isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
      services: servicesOf(env),
      documentText: async (hash) => (await loadLazy()).loadDocumentText(env, hash),
      resolveAddresses,
    },
    settingsVersion: env.settingsVersion,
    eventLinkHosts: env.EVENT_LINK_HOSTS,
    loadPolicy,
    budget: {
      caps: buildCaps(env),
      providers,
      webhookCosts: buildCosts(env),
      homeChat: env.HOME_CHAT ?? '',
      recordings: env,
    },
    onDaySpent: () => log('warn', 'budget-spent'),
    drafts: env.STREAMING === 'on' ? { table: parts.table, publish: publishDraft, now } : undefined,
    atWork: {
      type: ({ space, session, id: signalId }) => askToType(publishDraft, { space, session, signalId }, now()),
      afterMs: env.AT_WORK_SECONDS * SECOND_MS,
    },
  } satisfies Required<ReasonStageDeps>;
};
