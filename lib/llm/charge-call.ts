/**
 * What a model call may cost, and what it did. At worst every provider of the cascade is asked and bills the whole prompt and
 * the longest answer; afterwards the one that answered counts as it says itself, and one that failed after the request was out
 * counts at worst. An answer without usage counts at worst too, and is marked as estimated. Pure.
 */
import { PROMPT_ESTIMATE_PERCENT } from '../base/limits.ts';
import type { Charge } from '../money/day-spend.ts';
import type { CascadeAnswer } from './cascade.ts';
import { answerTokensOf, microDollarsOf, type Priced, priceOf, type TokenUsage } from './prices.ts';

/** What is booked for one call; micro-dollars. */
export interface CallCost {
  readonly usd: number;
  readonly tokens: number;
  /** Part of it is a worst case: a provider said nothing about its usage, or failed after the request was out. */
  readonly isEstimated: boolean;
  /** Micro-dollars that the large model would have cost more, and the same prompt without the provider's cache. */
  readonly savedByTier?: number | undefined;
  readonly savedByCache?: number | undefined;
}

/** @param promptTokens our own estimate; providers count a little differently. */
const worstOf = (provider: Priced, promptTokens: number): { usd: number; tokens: number } => {
  const prompt = Math.ceil((promptTokens * PROMPT_ESTIMATE_PERCENT) / 100);
  const completion = answerTokensOf(provider);
  return { usd: microDollarsOf(priceOf(provider), { prompt, cached: 0, completion }), tokens: prompt + completion };
};

const sumOf = (costs: readonly { usd: number; tokens: number }[]): { usd: number; tokens: number } => ({
  usd: costs.reduce((sum, { usd }) => sum + usd, 0),
  tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
});

/** The reservation for one call, under its id. */
export const worstCharge = (id: string, providers: readonly Priced[], promptTokens: number): Charge => ({
  id,
  ...sumOf(providers.map((provider) => worstOf(provider, promptTokens))),
});

/** Providers that failed and may bill all the same. @param billed their places in the cascade */
export const failedCost = (providers: readonly Priced[], billed: readonly number[], promptTokens: number): CallCost => {
  const failed = providers.filter((_, index) => billed.includes(index));
  return { ...sumOf(failed.map((provider) => worstOf(provider, promptTokens))), isEstimated: failed.length > 0 };
};

/**
 * What it would have cost without either comes first down to the small model's price, then by what the cache took off that: the
 * two add up to the whole saving. Only what is above nothing: most calls save nothing, and say nothing.
 */
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
  return { ...(byTier > 0 ? { savedByTier: byTier } : {}), ...(byCache > 0 ? { savedByCache: byCache } : {}) };
};

export const answeredCost = (
  providers: readonly Priced[],
  answered: Pick<CascadeAnswer, 'index' | 'model' | 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'billed'>,
  promptTokens: number,
): CallCost => {
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
