/**
 * The one adapter to language models: chat completions or the Responses API over the `openai`
 * client. One request, no retries (the cascade decides), bounded in time and bytes, as a stream if
 * somebody listens. Gives the answer unjudged; throws anything, for `classifyProviderError`.
 */

import { APIError, OpenAI } from 'openai';
import { HOUR_MS, KIB, PROVIDER_CONNECT_TIMEOUT_MS } from '../base/limits.ts';
import { startPatientTimer } from '../base/start-patient-timer.ts';
import { buildOutgoingFetch } from '../http/outgoing.ts';
import type { Ask, Hear, ModelAnswer, ModelRequest } from './chat.ts';
import { askChatCompletions } from './chat-completions.ts';
import { classifyProviderError } from './provider-failure.ts';
import { PROVIDER_STREAM_PAUSE_MS_MAX } from './provider-table.ts';
import { type Provider, thinkingOf } from './providers.ts';

/** Bytes of an answer: whole, and as a stream, which wraps a token in some 300 bytes. */
export const PROVIDER_RESPONSE_BYTES_MAX = 1024 * KIB;
const PROVIDER_STREAM_BYTES_MAX = 8 * 1024 * KIB;

/** A server may be mended: after this time a stream is asked for again. */
const UNSTREAMED_MS = HOUR_MS;

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
  /** Models that refused a stream and nothing else, and until when that is believed. */
  readonly unstreamed: Map<string, number>;
  /** Models that end thoughts which never began. */
  readonly lone: Set<string>;
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

/** It speaks of streams, so the answer to it says something of all later ones. */
const STREAM_WORDS = /\bstream(?:ing|ed|s|_options)?\b/i;

const isAboutStreams = (error: unknown): boolean => error instanceof Error && STREAM_WORDS.test(error.message);

/** The model wrote a call that the server could not read: the next answer may be better. */
const isBadAnswer = (error: unknown): boolean => error instanceof APIError && error.code === 'tool_use_failed';

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
  const canStream = provider.features?.hasStreaming !== false && (adapter.unstreamed.get(model) ?? 0) < Date.now();
  const hear = canStream ? given : undefined;
  let refusal: unknown;
  const forms = [...formsOf(provider, hear)];
  for (const [n, form] of forms.entries()) {
    const isOverResponses = thinkingOf(form.provider)?.over === 'responses';
    // Only OpenAI's large models are asked so.
    const ask = isOverResponses ? (await import('./responses.ts')).askResponses : askChatCompletions;
    const sending = { signal, hear: form.hear, lone: adapter.lone };
    try {
      const answer = await ask(clientFor(adapter, form.provider), form.provider, request, sending);
      if (form.hear !== hear && isAboutStreams(refusal)) adapter.unstreamed.set(model, Date.now() + UNSTREAMED_MS);
      return answer;
    } catch (error) {
      // A model may refuse tools only while it thinks.
      if (!['request', 'tools'].includes(classifyProviderError(error).fault)) throw error;
      if (isBadAnswer(error) && !isBadAnswer(refusal)) forms.splice(n + 1, 0, form);
      refusal = error;
    }
  }
  throw refusal;
};

export const buildOpenAiAsk = (bounds: ClientBounds = {}): Ask => {
  const adapter: Adapter = { bounds, clients: new Map(), unstreamed: new Map(), lone: new Set() };
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
