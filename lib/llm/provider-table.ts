/**
 * Model providers as data: where each is, what its key is called, its model for each tier with that model's window, and what
 * it can do. Pure. All speak OpenAI's chat completions; what differs is named here. Facts about models were checked in their
 * makers' documentation in November 2026; an owner overrides them by setting (`PROVIDER_CASCADE`, `PROVIDERS`).
 */
import type { JsonObject } from '../base/json.ts';
import { SECOND_MS } from '../base/limits.ts';

/** How hard a question is taken to be: `cognition` asks a provider's small model, `reasoning` its large one. */
export const TIERS = ['cognition', 'reasoning'] as const;
export type Tier = (typeof TIERS)[number];

/** Time for one answer. */
export const PROVIDER_TIMEOUT_MS = { cognition: 60 * SECOND_MS, reasoning: 240 * SECOND_MS } as const;
/** Longest pause inside a streamed answer. A model that thinks sends nothing meanwhile. */
export const PROVIDER_STREAM_PAUSE_MS_MAX = { cognition: 20 * SECOND_MS, reasoning: 120 * SECOND_MS } as const;

/**
 * How a model is asked to think before it answers: over the Responses API, or by fields of the chat
 * request. Only the reasoning tier asks. Absent: not asked, because the endpoint refuses it with
 * tools, or nobody knows how it is asked.
 */
export type Thinking =
  | { readonly over: 'responses'; readonly effort: 'low' | 'medium' | 'high' }
  | { readonly over: 'chat'; readonly fields: JsonObject };

/** One model of a provider. */
export interface ModelOffer {
  readonly model: string;
  /** Context window, tokens. */
  readonly contextTokens: number;
  /** Fields added to each chat request; those that ask for thinking come after them. */
  readonly extraBody: JsonObject;
  readonly thinking?: Thinking;
}

/** What an endpoint can do, as far as this system may use it. */
export interface ProviderFeatures {
  /** Without it the tools are described in the prompt, and calls are written as JSON. */
  readonly hasTools: boolean;
  readonly hasJsonSchema: boolean;
  readonly hasStreaming: boolean;
  readonly hasEmbeddings: boolean;
}

/** Nano-dollars a token. */
export interface TokenPrice {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

export interface ProviderRow extends ModelOffer {
  readonly name: string;
  readonly baseUrl: string;
  /** Environment and secret name of its key; empty where none is needed. */
  readonly keyName: string;
  /** The model for `reasoning`; absent where the other one answers everything. */
  readonly large?: ModelOffer;
  readonly features: ProviderFeatures;
  /** What the answer's token bound is called there: OpenAI's newer models refuse the older name. */
  readonly answerTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Fields added to each tool call that is shown to the model again. */
  readonly callExtra: JsonObject;
  /** Prices its owner configured, by model. */
  readonly prices?: Readonly<Record<string, TokenPrice>>;
}

const ALL: ProviderFeatures = { hasTools: true, hasJsonSchema: true, hasStreaming: true, hasEmbeddings: true };
const NO_EMBEDDINGS: ProviderFeatures = { ...ALL, hasEmbeddings: false };
const plain = { answerTokensField: 'max_tokens', extraBody: {}, callExtra: {} } as const;
const OPENAI_THINKING = {
  extraBody: { reasoning_effort: 'none' },
  thinking: { over: 'responses', effort: 'medium' },
} as const;
const CLAUDE_THINKING = {
  extraBody: { thinking: { type: 'disabled' } },
  thinking: { over: 'chat', fields: { thinking: { type: 'adaptive' } } },
} as const;
const EFFORT_THINKING = {
  extraBody: { reasoning_effort: 'low' },
  thinking: { over: 'chat', fields: { reasoning_effort: 'medium' } },
} as const;

/**
 * In the order of the default cascade: a key is an explicit wish, so an Ollama that merely happens
 * to run comes last.
 * - openrouter: `exclude` keeps the thoughts themselves out of the answer.
 * - openai: its version 6 models take tools over chat completions only with reasoning off, over the
 *   Responses API with it.
 * - anthropic: its version 5 models know no budget for thinking; they decide themselves how much
 *   they need.
 * - gemini: version 3 models refuse a replayed tool call without its signature, unless told that
 *   there is none.
 * - ollama: the window is what the server gives a model by default on a small machine, not what the
 *   model could do.
 */
export const PROVIDER_TABLE: readonly ProviderRow[] = [
  {
    ...plain,
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyName: 'OPENROUTER_API_KEY',
    model: 'openrouter/auto',
    contextTokens: 128_000,
    thinking: { over: 'chat', fields: { reasoning: { effort: 'medium', exclude: true } } },
    features: NO_EMBEDDINGS,
  },
  {
    ...plain,
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyName: 'OPENAI_API_KEY',
    model: 'gpt-6-luna',
    contextTokens: 1_050_000,
    answerTokensField: 'max_completion_tokens',
    ...OPENAI_THINKING,
    large: { model: 'gpt-6-sol', contextTokens: 1_050_000, ...OPENAI_THINKING },
    features: ALL,
  },
  {
    ...plain,
    name: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyName: 'ANTHROPIC_API_KEY',
    model: 'claude-haiku-5-5',
    contextTokens: 1_000_000,
    ...CLAUDE_THINKING,
    large: { model: 'claude-sonnet-5-5', contextTokens: 1_000_000, ...CLAUDE_THINKING },
    features: { ...NO_EMBEDDINGS, hasJsonSchema: false },
  },
  {
    ...plain,
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyName: 'GROQ_API_KEY',
    model: 'openai/gpt-oss-120b',
    contextTokens: 131_072,
    answerTokensField: 'max_completion_tokens',
    ...EFFORT_THINKING,
    features: NO_EMBEDDINGS,
  },
  {
    ...plain,
    name: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyName: 'GEMINI_API_KEY',
    model: 'gemini-3.5-flash',
    contextTokens: 1_000_000,
    ...EFFORT_THINKING,
    callExtra: { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
    features: ALL,
  },
  {
    ...plain,
    name: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyName: '',
    model: 'llama3.2',
    contextTokens: 4_096,
    features: ALL,
  },
];

/** The endpoint of `OPENAI_BASE_URL`: only fields that every such server knows. A single-model server ignores the name. */
export const CUSTOM_ROW: ProviderRow = {
  ...plain,
  name: 'custom',
  baseUrl: '',
  keyName: 'OPENAI_API_KEY',
  model: 'gpt-6-luna',
  contextTokens: 128_000,
  features: ALL,
};

/** Names that `PROVIDERS` may not give to another endpoint: they have a key and prices of their own. */
export const BUILT_IN_NAMES: readonly string[] = [...PROVIDER_TABLE.map((row) => row.name), CUSTOM_ROW.name];
