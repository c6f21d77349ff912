/**
 * The one adapter to language models: chat completions or the Responses API over the `openai`
 * client. One request, no retries of its own (the cascade decides), bounded in time and bytes; as a
 * stream where somebody listens. Clients are made when first asked, because the constructor throws
 * without a key. Gives the answer unjudged; throws whatever happened, for `classifyProviderError`.
 */
import { OpenAI } from 'openai';
import { buildBoundedFetch, type FetchBounds } from './bounded-fetch.ts';
import type { Ask, Hear, ModelAnswer, ModelRequest } from './chat.ts';
import { CHAT } from './chat-wire.ts';
import { classifyProviderError } from './classify-provider-error.ts';
import { buildReadEvents } from './event-stream.ts';
import { PROVIDER_STREAM_IDLE_MS, PROVIDER_TIMEOUT_MS } from './limits.ts';
import { type Provider, thinkingOf } from './providers.ts';
import { RESPONSES } from './responses-wire.ts';
import type { StreamCollector, Wire } from './wire.ts';

const wireOf = (provider: Provider): Wire => (thinkingOf(provider)?.over === 'responses' ? RESPONSES : CHAT);

/** @param body of a 200 answer whose bytes and time its giver bounds */
const readStream = async (body: ReadableStream<Uint8Array>, { take, whole }: StreamCollector): Promise<unknown> => {
  const readEvents = buildReadEvents();
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    for (const data of readEvents(decoder.decode(bytes, { stream: true }))) if (take(data)) return whole();
  }
  return whole();
};

/** One way to ask: how much of it is wished for, and not needed. */
interface Way {
  readonly provider: Provider;
  readonly isStreamed: boolean;
}

/**
 * Simpler ways for endpoints that refuse the request with thinking, or as a stream: a refusal costs
 * nothing.
 */
const waysOf = (provider: Provider, isStreamed: boolean): readonly Way[] => {
  const { thinking: _, ...unthinking } = provider;
  return [
    { provider, isStreamed },
    ...(thinkingOf(provider) === undefined ? [] : [{ provider: unthinking, isStreamed }]),
    ...(isStreamed ? [{ provider: unthinking, isStreamed: false }] : []),
  ];
};

/**
 * An `Ask` over HTTP. Keeps clients by endpoint, key and tier, so that connections are used again.
 */
export const buildOpenAiAsk = (bounds?: Partial<FetchBounds>): Ask => {
  const clients = new Map<string, OpenAI>();
  const clientOf = ({ baseUrl, key, tier = 'cognition' }: Provider): OpenAI => {
    const id = `${baseUrl}\n${key}\n${tier}`;
    const known = clients.get(id);
    if (known !== undefined) return known;
    const client = new OpenAI({
      baseURL: baseUrl,
      apiKey: key,
      // Otherwise read from the environment, and OpenAI's ids would go to other providers.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      maxRetries: 0,
      // Each call has a bound of its own, on all it takes.
      timeout: PROVIDER_TIMEOUT_MS[tier],
      logLevel: 'off',
      fetch: buildBoundedFetch({ streamIdleMs: PROVIDER_STREAM_IDLE_MS[tier], ...bounds }),
    });
    clients.set(id, client);
    return client;
  };
  /** Models that refused a request for a stream, and nothing else about it. */
  const unstreamed = new Set<string>();
  const nameOf = ({ baseUrl, model }: Provider): string => `${baseUrl}\n${model}`;

  const askWhole = async (provider: Provider, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const { path, buildBody, parse } = wireOf(provider);
    const answer: unknown = await clientOf(provider).post(path, { body: buildBody(provider, request), signal });
    return parse(answer, provider.model);
  };

  const askStream = async (provider: Provider, request: ModelRequest, signal: AbortSignal, hear: Hear) => {
    const { path, buildBody, streamed, parse, collect } = wireOf(provider);
    const body = { ...buildBody(provider, request), ...streamed };
    const response = await clientOf(provider).post(path, { body, signal }).asResponse();
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/event-stream\b/i.test(type) && response.body !== null)
      return parse(await readStream(response.body, collect(hear)), provider.model);
    // Who does not stream what was asked for as a stream sends it whole; what does not call itself JSON is no answer.
    const text = await response.text();
    const answer: unknown = /\bjson\b/i.test(type) && text !== '' ? JSON.parse(text) : text;
    return parse(answer, provider.model);
  };

  return async (provider, request, timeoutMs, hear) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const isStreamed =
      hear !== undefined && provider.features?.hasStreaming !== false && !unstreamed.has(nameOf(provider));
    let refusal: unknown;
    for (const way of waysOf(provider, isStreamed)) {
      try {
        const answer =
          way.isStreamed && hear !== undefined
            ? await askStream(way.provider, request, signal, hear)
            : await askWhole(way.provider, request, signal);
        if (isStreamed && !way.isStreamed) unstreamed.add(nameOf(provider));
        return answer;
      } catch (error) {
        if (classifyProviderError(error).fault !== 'request') throw error;
        refusal = error;
      }
    }
    throw refusal;
  };
};
