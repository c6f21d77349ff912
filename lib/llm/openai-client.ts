/**
 * The one adapter to language models: chat completions or the Responses API over the `openai`
 * client. One request, no retries (the cascade decides), bounded in time and bytes, as a stream if
 * somebody listens. Gives the answer unjudged; throws anything, for `classifyProviderError`.
 */

import { OpenAI } from 'openai';
import { KIB, PROVIDER_CONNECT_TIMEOUT_MS } from '../base/limits.ts';
import { startPatientTimer } from '../base/start-patient-timer.ts';
import { buildOutgoingFetch } from '../http/outgoing.ts';
import type { Ask, Hear, ModelAnswer, ModelRequest } from './chat.ts';
import { askChatCompletions } from './chat-completions.ts';
import { classifyProviderError } from './provider-failure.ts';
import { PROVIDER_STREAM_PAUSE_MS_MAX } from './provider-table.ts';
import { type Provider, thinkingOf } from './providers.ts';
import { askResponses } from './responses.ts';

/** Bytes of an answer: whole, and as a stream, which wraps a token in some 300 bytes. */
export const PROVIDER_RESPONSE_BYTES_MAX = 1024 * KIB;
const PROVIDER_STREAM_BYTES_MAX = 8 * 1024 * KIB;

/** Other bounds than the usual ones, for tests. */
export interface ClientBounds {
  readonly connectTimeoutMs?: number;
  readonly streamPauseMsMax?: number;
}

/** Cached for the life of a process. */
interface Adapter {
  readonly bounds: ClientBounds;
  /** One client for each endpoint, key and tier, so that connections are used again. */
  readonly clients: Map<string, OpenAI>;
  /** Models that refused a stream and nothing else of the request. */
  readonly unstreamed: Set<string>;
}

const buildClient = ({ baseUrl, key, tier = 'cognition' }: Provider, bounds: ClientBounds): OpenAI =>
  new OpenAI({
    baseURL: baseUrl,
    apiKey: key,
    // Otherwise these come from the environment, and OpenAI's ids would go to other providers.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    // `ask` ends each question: the client's own timer, of ten minutes, never comes first.
    logLevel: 'off',
    fetch: buildOutgoingFetch({
      peer: 'the provider',
      connectTimeoutMs: bounds.connectTimeoutMs ?? PROVIDER_CONNECT_TIMEOUT_MS,
      bytesMax: PROVIDER_RESPONSE_BYTES_MAX,
      events: {
        bytesMax: PROVIDER_STREAM_BYTES_MAX,
        pauseMsMax: bounds.streamPauseMsMax ?? PROVIDER_STREAM_PAUSE_MS_MAX[tier],
      },
    }),
  });

const clientFor = ({ clients, bounds }: Adapter, provider: Provider): OpenAI => {
  const id = `${provider.baseUrl}\n${provider.key}\n${provider.tier ?? 'cognition'}`;
  const client = clients.get(id) ?? buildClient(provider, bounds);
  clients.set(id, client);
  return client;
};

/** One form of the question. Thinking and streaming are wishes, not needs. */
interface Form {
  readonly provider: Provider;
  readonly hear: Hear | undefined;
}

/** Simpler forms follow, for endpoints that refuse one. A refusal costs nothing. */
const formsOf = (provider: Provider, hear: Hear | undefined): readonly Form[] => {
  const { thinking: _, ...unthinking } = provider;
  return [
    { provider, hear },
    ...(thinkingOf(provider) === undefined ? [] : [{ provider: unthinking, hear }]),
    ...(hear === undefined ? [] : [{ provider: unthinking, hear: undefined }]),
  ];
};

const askOpenAi = async (
  adapter: Adapter,
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
  given: Hear | undefined,
): Promise<ModelAnswer> => {
  const model = `${provider.baseUrl}\n${provider.model}`;
  const canStream = provider.features?.hasStreaming !== false && !adapter.unstreamed.has(model);
  const hear = canStream ? given : undefined;
  let refusal: unknown;
  for (const form of formsOf(provider, hear)) {
    const isOverResponses = thinkingOf(form.provider)?.over === 'responses';
    const ask = isOverResponses ? askResponses : askChatCompletions;
    try {
      const answer = await ask(clientFor(adapter, form.provider), form.provider, request, { signal, hear: form.hear });
      if (form.hear !== hear) adapter.unstreamed.add(model);
      return answer;
    } catch (error) {
      // A model may refuse tools only while it thinks.
      if (!['request', 'tools'].includes(classifyProviderError(error).fault)) throw error;
      refusal = error;
    }
  }
  throw refusal;
};

export const buildOpenAiAsk = (bounds: ClientBounds = {}): Ask => {
  const adapter: Adapter = { bounds, clients: new Map(), unstreamed: new Set() };
  return async (provider, request, timeoutMs, hear, latestMs) => {
    const timeout = new AbortController();
    const stop = () => timeout.abort(new DOMException('The provider took too long.', 'TimeoutError'));
    const stopTimer = startPatientTimer(timeoutMs, stop, latestMs);
    try {
      return await askOpenAi(adapter, provider, request, timeout.signal, hear);
    } finally {
      stopTimer();
    }
  };
};
