/**
 * What embedding tokens cost, in micro-dollars, rounded up: what the owner says, else the maker's list, on this machine nothing.
 * A model nobody knows costs as much as the dearest language model. Pure.
 */
import { priceOf } from '../../llm/prices.ts';
import type { EmbeddingEndpoint } from './embed-texts.ts';

/** Micro-dollars a million tokens, on the maker's own endpoint only. */
const OPENAI: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 20_000,
  'text-embedding-3-large': 130_000,
};
const OPENAI_URL = 'https://api.openai.com/v1';

export const embeddingCost = (
  { baseUrl, model, price }: Pick<EmbeddingEndpoint, 'baseUrl' | 'model' | 'price'>,
  tokens: number,
): number => {
  const listed = baseUrl === OPENAI_URL && Object.hasOwn(OPENAI, model) ? OPENAI[model] : undefined;
  const perMillion = price ?? listed ?? priceOf({ name: 'custom', baseUrl, model }).prompt * 1_000;
  return Math.ceil((tokens * perMillion) / 1_000_000);
};
