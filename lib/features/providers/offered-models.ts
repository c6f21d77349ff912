/**
 * The models that an endpoint says it offers (`/models`), each with its window and prices if the
 * list has them: OpenRouter, Groq, Mistral and vLLM name them each in their own way. Bounded; what
 * does not fit is left out. Pure.
 */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';

/** Routers list some hundreds. */
export const OFFERED_MODELS_MAX = 1_000;

const Tokens = z.int().check(z.minimum(256), z.maximum(100_000_000));
/** US dollars a token, as text or number; a negative one says that it varies. */
const Dollars = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value)),
  z.number().check(z.nonnegative(), z.maximum(0.1)),
);
const Listed = z.object({ data: z.array(z.unknown()) });
const Entry = z.looseObject({ id: z.string().check(z.regex(/^(?:models\/)?[\w.:/@+-]{1,128}$/)) });
const Price = z.object({ prompt: Dollars, completion: Dollars, input_cache_read: z.optional(z.unknown()) });

export interface OfferedModel {
  readonly model: string;
  /** Context window, tokens. */
  readonly contextTokens?: number;
  /** US dollars for a million tokens. */
  readonly prices?: { readonly prompt: number; readonly cached?: number; readonly completion: number };
}

const WINDOWS = ['context_length', 'context_window', 'max_model_len', 'max_context_length', 'inputTokenLimit'] as const;

/** A millionth of a dollar of a million tokens is small enough. */
const aMillion = (dollars: number): number => Math.round(dollars * 1e12) / 1e6;

const pricesIn = (pricing: unknown): Pick<OfferedModel, 'prices'> => {
  const { data } = Price.safeParse(pricing);
  if (data === undefined) return {};
  const { prompt, completion } = data;
  const { data: cached } = Dollars.safeParse(data.input_cache_read);
  return {
    prices: {
      prompt: aMillion(prompt),
      ...(cached === undefined ? {} : { cached: aMillion(cached) }),
      completion: aMillion(completion),
    },
  };
};

const readEntry = (given: unknown): readonly OfferedModel[] => {
  const { data: entry } = Entry.safeParse(given);
  if (entry === undefined) return [];
  const [contextTokens] = WINDOWS.flatMap((name) => Tokens.safeParse(entry[name]).data ?? []);
  return [
    {
      model: entry.id.replace(/^models\//, ''),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...pricesIn(entry.pricing),
    },
  ];
};

/** @param text answer of an endpoint; of one that is no list, nothing is known */
export const readOffers = (text: string): readonly OfferedModel[] =>
  (Listed.safeParse(readJson(text)).data?.data ?? []).slice(0, OFFERED_MODELS_MAX).flatMap(readEntry);
