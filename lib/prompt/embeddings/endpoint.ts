/**
 * Which endpoint makes vectors, from the environment: none without EMBEDDING_MODEL. Its key is a secret of the embedding function
 * alone; Reason, which asks for the vector of a question, uses the key its cascade has for the same address. Pure.
 */

import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { parseUsd } from '../../base/money.ts';
import type { EmbeddingEndpoint } from './embed-texts.ts';

const optional = z.optional(z.string());

export const EMBEDDING_ENV = {
  EMBEDDING_MODEL: optional,
  EMBEDDING_BASE_URL: z.optional(z.union([z.literal(''), z.url({ protocol: /^https?$/ })])),
  /** US dollars a million tokens. */
  EMBEDDING_PRICE: z.optional(z.string().check(z.refine((text) => text === '' || parseUsd(text) !== undefined))),
} as const;
const EmbeddingEnv = z.object({ ...EMBEDDING_ENV, OPENAI_BASE_URL: optional });
export type EmbeddingEnv = z.infer<typeof EmbeddingEnv>;

const DEFAULT_URL = 'https://api.openai.com/v1';
const plain = (url: string): string => url.trim().replace(/\/+$/, '');

/** @param keyFor gives the key for an address; empty where none is known */
export const buildEndpoint = (
  env: EmbeddingEnv,
  keyFor: (baseUrl: string) => string,
): EmbeddingEndpoint | undefined => {
  const model = env.EMBEDDING_MODEL?.trim() ?? '';
  if (model === '') return undefined;
  const baseUrl = plain(env.EMBEDDING_BASE_URL || env.OPENAI_BASE_URL || DEFAULT_URL);
  const price = parseUsd(env.EMBEDDING_PRICE ?? '');
  return { baseUrl, model, key: keyFor(baseUrl), ...defined({ price }) };
};

/** The key of the provider that lives at an address. */
export const keyOfProvider =
  (providers: readonly { readonly baseUrl: string; readonly key: string }[]) =>
  (baseUrl: string): string =>
    providers.find((provider) => plain(provider.baseUrl) === baseUrl)?.key ?? '';
