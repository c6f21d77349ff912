/**
 * Which endpoint makes vectors, from the environment: none without EMBEDDING_MODEL. Its key is a secret of the embedding function
 * alone; Reason, which asks for the vector of a question, uses the key its cascade has for the same address. Pure.
 */
import { defined } from '../../base/defined.ts';
import { parseUsd } from '../../base/money.ts';
import type { Values } from '../../store/settings.ts';
import type { EmbeddingEndpoint } from './embed-texts.ts';

type EmbeddingEnv = Partial<Values<'EMBEDDING_MODEL' | 'EMBEDDING_BASE_URL' | 'EMBEDDING_PRICE' | 'OPENAI_BASE_URL'>>;

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
