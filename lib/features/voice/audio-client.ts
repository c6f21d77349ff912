/**
 * The `openai` client for sound, at any endpoint that speaks as OpenAI does: one request, bounded
 * in bytes. Its failures become ours, in words for a person and without keys, addresses and bodies.
 */
import { OpenAI } from 'openai';
import { PassingError, ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { PROVIDER_CONNECT_TIMEOUT_MS } from '../../core/base/limits.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../../core/http/outgoing.ts';
import type { TranscriptionEndpoint } from '../../core/llm/audio-endpoint.ts';
import { classifyProviderError } from '../../core/llm/provider-failure.ts';

/** The client insists on a key. */
const NO_KEY = 'none';

/** Our requests carry text or bytes: a form is packed first. */
const packing =
  (send: OutgoingFetch): OutgoingFetch =>
  async (input, init = {}) => {
    const packed = new Response(init.body);
    const headers = new Headers(init.headers);
    const type = packed.headers.get('content-type');
    if (type !== null) headers.set('content-type', type);
    return send(input, { ...init, headers, body: new Uint8Array(await packed.arrayBuffer()) });
  };

export const openAudioClient = ({ baseUrl, key }: TranscriptionEndpoint, bytesMax: number): OpenAI['audio'] =>
  new OpenAI({
    baseURL: baseUrl,
    apiKey: key || NO_KEY,
    // Otherwise these come from the environment, and OpenAI's ids would go to other providers.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: packing(
      buildOutgoingFetch({ peer: 'the provider', connectTimeoutMs: PROVIDER_CONNECT_TIMEOUT_MS, bytesMax }),
    ),
  }).audio;

/** @returns UnavailableError if it was never taken up, ProtocolError if it may be billed */
export const audioFailure = (
  who: string,
  thrown: unknown,
): { readonly error: ProtocolError | UnavailableError; readonly mayBeBilled: boolean } => {
  const { fault, reason, isTransient, mayBeBilled } = classifyProviderError(thrown);
  const remedy =
    fault === 'auth' ? '; put a valid one in TRANSCRIPTION_API_KEY' : isTransient ? '; send it again later' : '';
  const words = `${who}: ${reason}${remedy}`;
  const isUntaken = isTransient && !mayBeBilled;
  const Failure = isTransient ? PassingError : ProtocolError;
  return { error: isUntaken ? new UnavailableError(words) : new Failure(words, { cause: thrown }), mayBeBilled };
};
