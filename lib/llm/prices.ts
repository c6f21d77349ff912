/**
 * What tokens cost, as dated data. Prices are in nano-dollars a token (a US dollar per million tokens is 1,000), so that every
 * sum is whole. A model that is not listed costs as much as the dearest one that is: what nobody knows is charged at worst.
 * Models on this machine cost nothing. `prompt` is the most an uncached token can cost, writing it to a cache included.
 * From the makers' price pages, November 2026, for prompts as short as ours (their long-prompt prices never apply).
 */
import type { ModelOffer, Tier, TokenPrice } from './provider-table.ts';

/**
 * Tokens of one answer by tier, thinking included: some pages of text, and room to think before
 * them. All of it is reserved before a model is asked. A small window leaves its answer this share.
 */
export const ANSWER_TOKENS_MAX = { cognition: 4_096, reasoning: 16_384 } as const;
const ANSWER_WINDOW_PERCENT_MAX = 25;

export const MODEL_PRICES_AS_OF = '2026-11-22';

/** Tokens as a provider counted them; `cached` are part of `prompt`. */
export interface TokenUsage {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

/** By model as it is asked for; makers' names are the same over a router, after its prefix. */
const MODELS: Readonly<Record<string, TokenPrice>> = {
  'gpt-6-luna': { prompt: 125, cached: 10, completion: 500 },
  'gpt-6-sol': { prompt: 2_500, cached: 200, completion: 10_000 },
  'gpt-5.6-luna': { prompt: 250, cached: 20, completion: 1_200 },
  'claude-haiku-5-5': { prompt: 200, cached: 10, completion: 500 },
  'claude-sonnet-5-5': { prompt: 4_000, cached: 200, completion: 10_000 },
  'claude-opus-5-5': { prompt: 8_000, cached: 400, completion: 20_000 },
  'claude-fable-5-1': { prompt: 20_000, cached: 1_000, completion: 50_000 },
  'gemini-3.5-flash': { prompt: 1_500, cached: 150, completion: 9_000 },
  'openai/gpt-oss-120b': { prompt: 150, cached: 150, completion: 600 },
};

const FREE: TokenPrice = { prompt: 0, cached: 0, completion: 0 };
/** What an unknown model costs: nothing listed costs more. */
export const DEAREST: TokenPrice = {
  prompt: Math.max(...Object.values(MODELS).map(({ prompt }) => prompt)),
  cached: Math.max(...Object.values(MODELS).map(({ prompt }) => prompt)),
  completion: Math.max(...Object.values(MODELS).map(({ completion }) => completion)),
};

/** Endpoints of those who make the models: only they are sure to charge the listed price. */
const MAKERS = new Set(['openai', 'anthropic', 'groq', 'gemini']);

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Answers come from this machine: no bill for them can ever arrive. */
const isOnThisMachine = (baseUrl: string): boolean => URL.canParse(baseUrl) && LOOPBACK.has(new URL(baseUrl).hostname);

/** A provider as far as what it charges depends on it. */
export interface Priced {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly prices?: Readonly<Record<string, TokenPrice>>;
  readonly large?: ModelOffer;
  /** The tier it is asked for; `cognition` if absent. */
  readonly tier?: Tier;
  /** Context window, tokens; if absent, large enough for any answer. */
  readonly contextTokens?: number;
}

/** The most tokens an answer may have, thinking included. */
export const answerTokensOf = ({
  tier = 'cognition',
  contextTokens,
}: Pick<Priced, 'tier' | 'contextTokens'>): number =>
  contextTokens === undefined
    ? ANSWER_TOKENS_MAX[tier]
    : Math.min(ANSWER_TOKENS_MAX[tier], Math.floor((contextTokens * ANSWER_WINDOW_PERCENT_MAX) / 100));

/** Makers answer with a dated name (`gpt-6-luna-2026-09-22`) for the model they were asked for. */
const listedIn = (
  prices: Readonly<Record<string, TokenPrice>>,
  answered: string,
  asked: string,
): TokenPrice | undefined =>
  [answered, asked].flatMap((name) => (Object.hasOwn(prices, name) ? [prices[name]] : []))[0];

/**
 * What a provider charges for a model. Any other endpoint may charge what it likes for a name that is listed, so only the
 * makers' own get the listed price, and a configured one what its owner says. @param model another one than was asked for,
 * where a router chose it.
 */
export const priceOf = (provider: Priced, model = provider.model): TokenPrice => {
  const configured = listedIn(provider.prices ?? {}, model, provider.model);
  if (configured !== undefined) return configured;
  if (provider.name === 'ollama' || isOnThisMachine(provider.baseUrl)) return FREE;
  if (!MAKERS.has(provider.name)) return DEAREST;
  return listedIn(MODELS, model, provider.model) ?? DEAREST;
};

/** Micro-dollars of so many tokens, rounded up. */
export const microDollarsOf = (price: TokenPrice, { prompt, cached, completion }: TokenUsage): number => {
  const fromCache = Math.min(cached, prompt);
  return Math.ceil(
    ((prompt - fromCache) * price.prompt + fromCache * price.cached + completion * price.completion) / 1_000,
  );
};
