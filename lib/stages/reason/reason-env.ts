/** Reason's environment: what it is told about itself, its providers and the configured webhooks (addresses, no secrets). */
import * as z from 'zod/mini';
import { type EventLinkHosts, parseEventLinkHosts } from '../../judge/listed-links.ts';
import { type ModelRule, parseModelRules } from '../../llm/model-rules.ts';
import { CONSENSUS_PROBLEM, parseConsensus } from '../../llm/parse-consensus.ts';
import { BUDGET_ENV, COSTS_ENV } from '../../money/caps.ts';
import { EMBEDDING_ENV } from '../../prompt/embeddings/endpoint.ts';
import { parseThreshold, THRESHOLD_PROBLEM } from '../../prompt/parse-threshold.ts';
import { COMMON_ENV, CommaList, Flag, jsonMap, readEnv } from '../../store/env.ts';

const optional = z.optional(z.string());

const Threshold = z.pipe(
  z.optional(z.string()),
  z.transform((text: string | undefined, context): number => {
    const threshold = parseThreshold(text);
    if (threshold !== undefined) return threshold;
    context.issues.push({ code: 'custom', message: THRESHOLD_PROBLEM, input: '' });
    return z.NEVER;
  }),
);

const Consensus = z.pipe(
  z.optional(z.string()),
  z.transform((text: string | undefined, context): number => {
    const count = parseConsensus(text);
    if (count !== undefined) return count;
    context.issues.push({ code: 'custom', message: CONSENSUS_PROBLEM, input: '' });
    return z.NEVER;
  }),
);

const Rules = z.pipe(
  z.optional(z.string()),
  z.transform((text: string | undefined, context): readonly ModelRule[] => {
    const rules = parseModelRules(text);
    if (typeof rules !== 'string') return rules;
    context.issues.push({ code: 'custom', message: rules, input: '' });
    return z.NEVER;
  }),
);

const LinkHosts = z.pipe(
  z.optional(z.string()),
  z.transform((text: string | undefined, context): EventLinkHosts => {
    const hosts = parseEventLinkHosts(text);
    if (typeof hosts !== 'string') return hosts;
    context.issues.push({ code: 'custom', message: hosts, input: '' });
    return z.NEVER;
  }),
);

export const ReasonEnv = z.object({
  ...COMMON_ENV,
  QUEUE_URL: z.url(),
  ACT_QUEUE_URL: z.url(),
  DLQ_URL: z.url(),
  MEMEX_ASSISTANT: z._default(z.string(), ''),
  MEMEX_USER: z._default(z.string(), ''),
  TIME_ZONE: z._default(z.string(), 'UTC'),
  WEBHOOK_URLS: jsonMap(z.string()),
  ALLOW_LOOPBACK_WEBHOOKS: Flag,
  EVENT_LINK_HOSTS: LinkHosts,
  PRIVACY_FILTER_TAGS: CommaList,
  CONTEXT_SEMANTIC_THRESHOLD: Threshold,
  OPENAI_BASE_URL: optional,
  OPENAI_MODEL: optional,
  PROVIDER_CASCADE: optional,
  PROVIDERS: optional,
  CONSENSUS_PROVIDERS: Consensus,
  MODEL_RULES: Rules,
  OLLAMA_BASE_URL: optional,
  OLLAMA_MODEL: optional,
  OLLAMA_CONTEXT_LENGTH: optional,
  HOME_CHAT: z._default(z.string(), ''),
  ...EMBEDDING_ENV,
  ...BUDGET_ENV,
  ...COSTS_ENV,
  /** Whether answers are shown while they are written. */
  STREAMING: z._default(z.enum(['on', 'off']), 'on'),
  LOG_LEVEL: optional,
});
export type ReasonEnv = z.infer<typeof ReasonEnv>;

export const readReasonEnv = (source: Readonly<Record<string, string | undefined>> = process.env): ReasonEnv =>
  readEnv(ReasonEnv, source);
