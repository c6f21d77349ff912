/** Writes a recording down by any endpoint that has `/audio/transcriptions`. */
import { toFile } from 'openai';
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import type { TranscriptionEndpoint } from '../../core/llm/audio-endpoint.ts';
import { audioFailure, openAudioClient } from './audio-client.ts';

/** Ten minutes of speech have some ten thousand characters. */
const TRANSCRIPT_BYTES_MAX = 256 * KIB;
/** A person waits, and Act has a minute in all. */
const TRANSCRIPTION_TIMEOUT_MS = 30 * SECOND_MS;

const Transcript = z.object({ text: z.string(), usage: z.optional(z.unknown()) });
/** Only some providers say how long they listened. */
const Usage = z.object({ seconds: z.number().check(z.nonnegative()) });

/** @param onBilled told, also before a failure, if it may be billed, and for how long */
export const transcribe = async (
  endpoint: TranscriptionEndpoint,
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  onBilled: (seconds?: number) => void = () => undefined,
  timeoutMs = TRANSCRIPTION_TIMEOUT_MS,
): Promise<string> => {
  try {
    const file = await toFile(bytes, name);
    const signal = AbortSignal.timeout(timeoutMs);
    const { transcriptions } = openAudioClient(endpoint, TRANSCRIPT_BYTES_MAX);
    const { model } = endpoint;
    const answer = Transcript.safeParse(await transcriptions.create({ file, model }, { signal }));
    if (!answer.success) throw new ProtocolError('answered with something else than a transcript');
    onBilled(Usage.safeParse(answer.data.usage).data?.seconds);
    return answer.data.text.toWellFormed().trim();
  } catch (thrown) {
    const { error, mayBeBilled } = audioFailure('the transcription provider', thrown);
    if (mayBeBilled) onBilled();
    throw error;
  }
};
