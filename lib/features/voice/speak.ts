/** Says a text aloud by any endpoint that has `/audio/speech` and gives Ogg Opus. */
import { ProtocolError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type { TranscriptionEndpoint } from '../../core/llm/audio-endpoint.ts';
import { audioFailure, openAudioClient } from './audio-client.ts';

/** Three minutes at 128 kbit/s: more than the longest text takes. */
const SPEECH_BYTES_MAX = 3_000_000;
/** Act has a minute in all. */
const SPEECH_TIMEOUT_MS = 40 * SECOND_MS;

/** @param onBilled told, also before a failure, if the request may be billed */
export const speak = async (
  endpoint: TranscriptionEndpoint,
  voice: string,
  text: string,
  onBilled: () => void,
  timeoutMs = SPEECH_TIMEOUT_MS,
): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    const { speech } = openAudioClient(endpoint, SPEECH_BYTES_MAX);
    const asked = { model: endpoint.model, voice, input: text, response_format: 'opus' } as const;
    const answer = await speech.create(asked, { signal: AbortSignal.timeout(timeoutMs) });
    onBilled();
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'OggS')
      throw new ProtocolError('answered with something else than Ogg Opus');
    return bytes;
  } catch (thrown) {
    const { error, mayBeBilled } = audioFailure('the speech provider', thrown);
    if (mayBeBilled) onBilled();
    throw error;
  }
};
