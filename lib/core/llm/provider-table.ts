/**
 * Model providers as data: address, name of the key, a model for each tier with its window, and
 * features. All speak OpenAI's chat completions; the differences are named here. Checked in the
 * makers' documentation in November 2026; settings override them (`PROVIDER_CASCADE`, `PROVIDERS`).
 */
import type { JsonObject } from '../base/json.ts';
import { SECOND_MS } from '../base/limits.ts';

/** `cognition` asks a provider's small model, `reasoning` its large one. */
export const TIERS = ['cognition', 'reasoning'] as const;
export type Tier = (typeof TIERS)[number];

/** Time for one answer. */
export const PROVIDER_TIMEOUT_MS = { cognition: 60 * SECOND_MS, reasoning: 240 * SECOND_MS } as const;
/** Longest pause inside a streamed answer. A model that thinks sends nothing meanwhile. */
export const PROVIDER_STREAM_PAUSE_MS_MAX = { cognition: 20 * SECOND_MS, reasoning: 120 * SECOND_MS } as const;

/**
 * Only the reasoning tier sends it, if the work is difficult. Absent if the endpoint is unknown or
 * refuses it with tools.
 */
export type Thinking =
  | { readonly over: 'responses'; readonly effort: 'low' | 'medium' | 'high' }
  | { readonly over: 'chat'; readonly fields: JsonObject };

export interface ModelOffer {
  readonly model: string;
  /** Context window, tokens. */
  readonly contextTokens: number;
  /** Fields added to each chat request, before those of `thinking`. */
  readonly extraBody: JsonObject;
  readonly thinking?: Thinking;
}

/** Features of an endpoint that this system uses. */
export interface ProviderFeatures {
  /** If false, the tools are described in the prompt and calls are written as JSON. */
  readonly hasTools: boolean;
  readonly hasJsonSchema: boolean;
  readonly hasStreaming: boolean;
  readonly hasEmbeddings: boolean;
  /** Its models are shown pictures. */
  readonly hasImages: boolean;
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
  /** Secret name of its key; empty if none is needed. */
  readonly keyName: string;
  /** The model for `reasoning`; absent if one model answers everything. */
  readonly large?: ModelOffer;
  readonly features: ProviderFeatures;
  /** OpenAI's newer models refuse the older name. */
  readonly answerTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Fields added to each tool call that goes back to the model. */
  readonly callExtra: JsonObject;
  /** Prices that the owner configured, by model. */
  readonly prices?: Readonly<Record<string, TokenPrice>>;
}

const ALL: ProviderFeatures = {
  hasTools: true,
  hasJsonSchema: true,
  hasStreaming: true,
  hasEmbeddings: true,
  hasImages: true,
};
const NO_IMAGES: ProviderFeatures = { ...ALL, hasImages: false };
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
 * In the order of the default cascade. Ollama comes last, because a key is an explicit wish.
 * - openrouter: `exclude` keeps the thoughts out of the answer.
 * - openai: version 6 takes tools over chat completions only without reasoning.
 * - anthropic: version 5 decides itself how much it thinks.
 * - gemini: version 3 refuses a replayed tool call without its signature, unless told there is
 *   none.
 * - ollama: the window is the server's default on a small machine.
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
    features: { ...NO_EMBEDDINGS, hasImages: false },
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
    features: NO_IMAGES,
  },
];

/** The endpoint of `OPENAI_BASE_URL`, with fields that every such server knows. */
export const CUSTOM_ROW: ProviderRow = {
  ...plain,
  name: 'custom',
  baseUrl: '',
  keyName: 'OPENAI_API_KEY',
  model: 'gpt-6-luna',
  contextTokens: 128_000,
  features: NO_IMAGES,
};

export const takesPictures = ({ features }: { readonly features?: ProviderFeatures }): boolean =>
  features?.hasImages === true;

/** The secret that holds the key of a provider; empty if it needs none. */
export const keyNameOf = (provider: string): string =>
  [...PROVIDER_TABLE, CUSTOM_ROW].find(({ name }) => name === provider)?.keyName ?? 'PROVIDER_KEYS';

/** Names that `PROVIDERS` may not use: these have keys and prices of their own. */
export const BUILT_IN_NAMES: readonly string[] = [...PROVIDER_TABLE.map((row) => row.name), CUSTOM_ROW.name];
