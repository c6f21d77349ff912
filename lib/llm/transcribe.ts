/**
 * Writes a recording down, over the `openai` client at any endpoint that has
 * `/audio/transcriptions`. One request, bounded in time and bytes. What was never taken up may be
 * tried again (UnavailableError); what may be billed is not (ProtocolError, in words for a person
 * and without keys, addresses and bodies).
 */
import { OpenAI, toFile } from 'openai';
import * as z from 'zod/mini';
import { ProtocolError, UnavailableError } from '../base/errors.ts';
import { KIB, PROVIDER_CONNECT_TIMEOUT_MS, SECOND_MS } from '../base/limits.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../http/outgoing.ts';
import { LATER } from '../signal/attachment.ts';
import { classifyProviderError } from './provider-failure.ts';
import type { TranscriptionEndpoint } from './transcription.ts';

/** Ten minutes of speech have some ten thousand characters. */
const TRANSCRIPT_BYTES_MAX = 256 * KIB;
/** A person waits, and Act has a minute in all. */
const TRANSCRIPTION_TIMEOUT_MS = 30 * SECOND_MS;
/** The client insists on a key. */
const NO_KEY = 'none';

const Transcript = z.object({ text: z.string(), usage: z.optional(z.unknown()) });
/** Only some providers say how long they listened. */
const Usage = z.object({ seconds: z.number().check(z.nonnegative()) });

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

/**
 * @param name tells the endpoint the format: `recording.ogg`
 * @param onBilled told, also before a failure, if the request may be billed, and for how many
 * seconds if the provider says so
 */
export const transcribe = async (
  { baseUrl, key, model }: TranscriptionEndpoint,
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  onBilled: (seconds?: number) => void = () => undefined,
  timeoutMs = TRANSCRIPTION_TIMEOUT_MS,
): Promise<string> => {
  const client = new OpenAI({
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
      buildOutgoingFetch({
        peer: 'the provider',
        connectTimeoutMs: PROVIDER_CONNECT_TIMEOUT_MS,
        bytesMax: TRANSCRIPT_BYTES_MAX,
      }),
    ),
  });
  try {
    const file = await toFile(bytes, name);
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = Transcript.safeParse(await client.audio.transcriptions.create({ file, model }, { signal }));
    if (!answer.success) throw new ProtocolError('answered with something else than a transcript');
    onBilled(Usage.safeParse(answer.data.usage).data?.seconds);
    return answer.data.text.toWellFormed().trim();
  } catch (error) {
    const { reason, isTransient, mayBeBilled } = classifyProviderError(error);
    if (mayBeBilled) onBilled();
    const words = `the transcription provider: ${reason}${isTransient ? `; ${LATER}` : ''}`;
    throw isTransient && !mayBeBilled ? new UnavailableError(words) : new ProtocolError(words, { cause: error });
  }
};
