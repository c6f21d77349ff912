/** Has an answer said aloud. Tried once: the same words stand in the chat already. */
import { ProtocolError } from '../../core/base/errors.ts';
import type { SayAloud } from '../../core/channels/channel.ts';
import { buildTranscriptionEndpoint, isOnThisMachine, type TranscriptionEnv } from '../../core/llm/audio-endpoint.ts';
import { spokenPrice } from '../../core/money/caps.ts';
import { SPOKEN_CHAR_PRICE_MAX } from '../../core/money/effect-cost.ts';
import type { Secrets } from '../../core/store/secrets.ts';
import type { Values } from '../../core/store/settings.ts';
import type { speak } from './speak.ts';

/** Micro-dollars a character, from the makers' price pages, November 2026. */
const CHARACTERS: Readonly<Record<string, number>> = {
  'tts-1': 15,
  'tts-1-hd': SPOKEN_CHAR_PRICE_MAX,
  'gpt-4o-mini-tts': 20,
};

type SpeechEnv = TranscriptionEnv & Partial<Values<'SPEECH_MODEL' | 'SPEECH_PRICE'>> & Values<'SPEECH_VOICE'>;

export const buildSayAloud = (
  { SPEECH_MODEL: model = '', SPEECH_VOICE: voice, ...env }: SpeechEnv,
  secrets: Pick<Secrets, 'get'>,
  say: typeof speak = async (...given) => (await import('./audio.ts')).speak(...given),
): SayAloud => {
  const key = secrets.get('TRANSCRIPTION_API_KEY') ?? '';
  const endpoint = buildTranscriptionEndpoint({ ...env, TRANSCRIPTION_MODEL: model }, key);
  return async (text, noteCost) => {
    if (endpoint === undefined) throw new ProtocolError('no model that speaks is set; SPEECH_MODEL names one');
    const listed = isOnThisMachine(endpoint) ? 0 : (CHARACTERS[model] ?? SPOKEN_CHAR_PRICE_MAX);
    const price = spokenPrice(env) ?? listed;
    return say(endpoint, voice, text, () => noteCost(Math.ceil(text.length * price)));
  };
};
