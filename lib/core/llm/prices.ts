/**
 * Prices of tokens, as dated data, and the cost of calls. Prices are nano-dollars a
 * token (a US dollar per million tokens is 1,000), so that sums stay whole. A model that is not
 * listed costs as much as the most expensive one; a model on this machine costs nothing. From the
 * makers' price pages, November 2026, for prompts as short as ours. Pure.
 */

import { defined } from '../base/defined.ts';
import { PROMPT_ESTIMATE_PERCENT } from '../base/limits.ts';
import type { Charge } from '../money/day-spend.ts';
import type { ModelOffer, ProviderFeatures, Tier, TokenPrice } from './provider-table.ts';

/** Tokens of one answer, thinking included. All are reserved before a model is asked. */
export const ANSWER_TOKENS_MAX = { cognition: 4_096, reasoning: 16_384 } as const;
/** Share of a small window that an answer may take. */
const ANSWER_WINDOW_PERCENT_MAX = 25;

/** Tokens as a provider counts them; `prompt` includes `cached`. */
export interface TokenUsage {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

/** `prompt` is the most an uncached token can cost, writing it to a cache included. */
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
/** The price of a model nobody listed. */
export const MOST_EXPENSIVE: TokenPrice = {
  prompt: Math.max(...Object.values(MODELS).map(({ prompt }) => prompt)),
  cached: Math.max(...Object.values(MODELS).map(({ prompt }) => prompt)),
  completion: Math.max(...Object.values(MODELS).map(({ completion }) => completion)),
};

/** Endpoints that are sure to charge the listed price: those of the models' makers. */
const MAKERS = new Set(['openai', 'anthropic', 'groq', 'gemini']);

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const isOnThisMachine = (baseUrl: string): boolean => URL.canParse(baseUrl) && LOOPBACK.has(new URL(baseUrl).hostname);

/** The parts of a provider that its price depends on. */
export interface Priced {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly prices?: Readonly<Record<string, TokenPrice>>;
  readonly large?: ModelOffer;
  readonly features?: ProviderFeatures;
  /** `cognition` if absent. */
  readonly tier?: Tier;
  /** False if the large tier is to answer without thinking first. */
  readonly isThinking?: boolean;
  /** Context window, tokens. Absent: large enough for any answer. */
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

/** Makers' own endpoints get the listed price; a configured one the price its owner named. */
export const priceOf = (provider: Priced, model = provider.model): TokenPrice => {
  const configured = listedIn(provider.prices ?? {}, model, provider.model);
  if (configured !== undefined) return configured;
  if (provider.name === 'ollama' || isOnThisMachine(provider.baseUrl)) return FREE;
  if (!MAKERS.has(provider.name)) return MOST_EXPENSIVE;
  return listedIn(MODELS, model, provider.model) ?? MOST_EXPENSIVE;
};

/** Micro-dollars of so many tokens, rounded up. */
export const microDollarsOf = (price: TokenPrice, { prompt, cached, completion }: TokenUsage): number => {
  const fromCache = Math.min(cached, prompt);
  return Math.ceil(
    ((prompt - fromCache) * price.prompt + fromCache * price.cached + completion * price.completion) / 1_000,
  );
};

/** Micro-dollars. */
export interface CallCost {
  readonly usd: number;
  readonly tokens: number;
  /** Part of it is a worst case: a provider did not say its usage, or failed after it was asked. */
  readonly isEstimated: boolean;
  /** Saved against the large model, and against the same prompt without a cache. */
  readonly savedByTier?: number | undefined;
  readonly savedByCache?: number | undefined;
}

/** The whole prompt and the longest answer. @param promptTokens our own estimate */
const worstOf = (provider: Priced, promptTokens: number): { usd: number; tokens: number } => {
  const prompt = Math.ceil((promptTokens * PROMPT_ESTIMATE_PERCENT) / 100);
  const completion = answerTokensOf(provider);
  return { usd: microDollarsOf(priceOf(provider), { prompt, cached: 0, completion }), tokens: prompt + completion };
};

const sumOf = (costs: readonly { usd: number; tokens: number }[]): { usd: number; tokens: number } => ({
  usd: costs.reduce((sum, { usd }) => sum + usd, 0),
  tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
});

/** The reservation for one call: at worst every provider of the cascade bills it. */
export const worstCharge = (id: string, providers: readonly Priced[], promptTokens: number): Charge => ({
  id,
  ...sumOf(providers.map((provider) => worstOf(provider, promptTokens))),
});

/** Failed providers that may bill count at worst. @param billed their places */
export const failedCost = (providers: readonly Priced[], billed: readonly number[], promptTokens: number): CallCost => {
  const failed = providers.filter((_, index) => billed.includes(index));
  return { ...sumOf(failed.map((provider) => worstOf(provider, promptTokens))), isEstimated: failed.length > 0 };
};

/** From the large model's price to the small one's, and from that by the cache. */
const savedBy = (
  provider: Priced,
  model: string,
  usage: TokenUsage,
  usd: number,
): Pick<CallCost, 'savedByTier' | 'savedByCache'> => {
  const large = provider.large?.model;
  const isSmall = large !== undefined && large !== provider.model;
  const uncached = { ...usage, cached: 0 };
  const whole = microDollarsOf(priceOf(provider, model), uncached);
  const byTier = isSmall ? microDollarsOf(priceOf({ ...provider, model: large }), uncached) - whole : 0;
  const byCache = whole - usd;
  return defined({
    savedByTier: byTier > 0 ? byTier : undefined,
    savedByCache: byCache > 0 ? byCache : undefined,
  });
};

/** An answer of the cascade, as far as its cost depends on it. */
export interface PricedAnswer {
  /** Place of the provider that answered. */
  readonly index: number;
  readonly model: string;
  readonly inputTokens?: number;
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  /** Places of those that failed before it and may bill. */
  readonly billed: readonly number[];
}

export const answeredCost = (providers: readonly Priced[], answered: PricedAnswer, promptTokens: number): CallCost => {
  const failed = failedCost(providers, answered.billed, promptTokens);
  const provider = providers[answered.index];
  const { inputTokens: prompt, outputTokens: completion } = answered;
  if (provider === undefined) return { ...worstCharge('', providers, promptTokens), isEstimated: true };
  if (prompt === undefined || completion === undefined) {
    return { ...sumOf([failed, worstOf(provider, promptTokens)]), isEstimated: true };
  }
  const usage = { prompt, cached: answered.cachedTokens ?? 0, completion };
  const own = { usd: microDollarsOf(priceOf(provider, answered.model), usage), tokens: prompt + completion };
  return {
    ...sumOf([failed, own]),
    isEstimated: failed.isEstimated,
    ...savedBy(provider, answered.model, usage, own.usd),
  };
};
