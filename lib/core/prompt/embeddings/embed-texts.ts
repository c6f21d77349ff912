/**
 * The adapter to an OpenAI-compatible `/embeddings` endpoint: one vector for each text, bounded in
 * time and bytes, no retries. Plain HTTP, because a client library would be most of the function.
 * Fails with UnavailableError (try later) or ProtocolError (refused, or an answer that does not
 * fit; a KeyRefusedError for a refused key). No error holds a text, an address or the key.
 */
import * as z from 'zod/mini';
import { defined } from '../../base/defined.ts';
import { KeyRefusedError, ProtocolError, UnavailableError } from '../../base/errors.ts';
import { readJson } from '../../base/json.ts';
import { KIB, PROVIDER_CONNECT_TIMEOUT_MS, VECTOR_DIMENSIONS_MAX } from '../../base/limits.ts';
import { parseUsd } from '../../base/money.ts';
import { buildOutgoingFetch } from '../../http/outgoing.ts';
import { priceOf } from '../../llm/prices.ts';
import type { Values } from '../../store/settings.ts';

/** One answer: 32 vectors of 4,096 numbers in digits. */
const EMBEDDING_RESPONSE_BYTES_MAX = 4 * 1024 * KIB;

/** Holds its key: never log one whole. */
export interface EmbeddingEndpoint {
  /** Without `/embeddings`. */
  readonly baseUrl: string;
  /** Empty if none is needed. */
  readonly key: string;
  readonly model: string;
  /** Micro-dollars a million tokens, if the owner names a price. */
  readonly price?: number | undefined;
}

interface Embedded {
  /** In the order of the texts, all of one length. */
  readonly vectors: readonly (readonly number[])[];
  /** As the endpoint counted; absent if it did not say. */
  readonly tokens?: number;
}

export type EmbedTexts = (
  endpoint: EmbeddingEndpoint,
  texts: readonly string[],
  timeoutMs: number,
) => Promise<Embedded>;

const Answer = z.object({
  data: z.array(z.object({ index: z.optional(z.int()), embedding: z.array(z.number()) })),
  usage: z.optional(z.object({ prompt_tokens: z.optional(z.int().check(z.nonnegative())) })),
});

/** @throws ProtocolError if it is not one vector for each text */
const parseEmbeddings = (value: unknown, count: number): Embedded => {
  const answer = Answer.safeParse(value);
  if (!answer.success) throw new ProtocolError('the embeddings endpoint answered with something else than embeddings');
  const { data, usage } = answer.data;
  const vectors = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => embedding);
  const dimensions = vectors[0]?.length ?? 0;
  const isWhole = vectors.length === count && vectors.every(({ length }) => length === dimensions);
  if (!isWhole || dimensions === 0 || dimensions > VECTOR_DIMENSIONS_MAX)
    throw new ProtocolError('the embeddings endpoint did not give one vector for each text');
  return { vectors, ...defined({ tokens: usage?.prompt_tokens }) };
};

const classifyStatus = (status: number): Error => {
  if (status === 429 || status >= 500)
    return new UnavailableError(`The embeddings endpoint answered with status ${status}.`);
  return status === 401 || status === 403
    ? new KeyRefusedError(`the embeddings endpoint refuses the key (${status})`)
    : new ProtocolError(`the embeddings endpoint refused (${status})`);
};

/** A socket's error may name the address, so it is replaced. */
const classifyEmbeddingError = (error: unknown): Error =>
  error instanceof ProtocolError || error instanceof UnavailableError
    ? error
    : new UnavailableError('The embeddings endpoint did not answer.');

export const buildEmbedTexts = (): EmbedTexts => {
  const fetch = buildOutgoingFetch({
    peer: 'the embeddings endpoint',
    connectTimeoutMs: PROVIDER_CONNECT_TIMEOUT_MS,
    bytesMax: EMBEDDING_RESPONSE_BYTES_MAX,
  });
  return async ({ baseUrl, key, model }, texts, timeoutMs) => {
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status !== 200) throw classifyStatus(response.status);
      const value = readJson(await response.text());
      if (value === undefined) throw new ProtocolError('the embeddings endpoint did not answer with JSON');
      return parseEmbeddings(value, texts.length);
    } catch (error) {
      throw classifyEmbeddingError(error);
    }
  };
};

type EmbeddingEnv = Partial<Values<'EMBEDDING_MODEL' | 'EMBEDDING_BASE_URL' | 'EMBEDDING_PRICE' | 'OPENAI_BASE_URL'>>;

const OPENAI_URL = 'https://api.openai.com/v1';
const plain = (url: string): string => url.trim().replace(/\/+$/, '');

/**
 * The endpoint of the settings; undefined without EMBEDDING_MODEL. Its key is a secret of the
 * embedding function; Reason uses the key that its cascade has for the same address.
 * @param keyFor gives the key for an address; empty if none is known
 */
export const buildEndpoint = (
  env: EmbeddingEnv,
  keyFor: (baseUrl: string) => string,
): EmbeddingEndpoint | undefined => {
  const model = env.EMBEDDING_MODEL?.trim() ?? '';
  if (model === '') return undefined;
  const baseUrl = plain(env.EMBEDDING_BASE_URL || env.OPENAI_BASE_URL || OPENAI_URL);
  const price = parseUsd(env.EMBEDDING_PRICE ?? '');
  return { baseUrl, model, key: keyFor(baseUrl), ...defined({ price }) };
};

/** The key of the provider that lives at an address. */
export const keyOfProvider =
  (providers: readonly { readonly baseUrl: string; readonly key: string }[]) =>
  (baseUrl: string): string =>
    providers.find((provider) => plain(provider.baseUrl) === baseUrl)?.key ?? '';

/** Micro-dollars a million tokens, on OpenAI's own endpoint. */
const OPENAI: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 20_000,
  'text-embedding-3-large': 130_000,
};

/** Micro-dollars. An unknown model costs as much as the most expensive language model. */
export const embeddingCost = (
  { baseUrl, model, price }: Pick<EmbeddingEndpoint, 'baseUrl' | 'model' | 'price'>,
  tokens: number,
): number => {
  const listed = baseUrl === OPENAI_URL && Object.hasOwn(OPENAI, model) ? OPENAI[model] : undefined;
  const perMillion = price ?? listed ?? priceOf({ name: 'custom', baseUrl, model }).prompt * 1_000;
  return Math.ceil((tokens * perMillion) / 1_000_000);
};
