/** Has a recording written down. The first bytes say its format, never its name. */
import { ProtocolError } from '../../core/base/errors.ts';
import { buildTranscriptionEndpoint } from '../../core/llm/audio-endpoint.ts';
import type { KeyContext } from '../../core/operations/act-feature.ts';
import type { RecordingPower } from '../../core/signal/attachment.ts';
import { heardPrice } from './recording-price.ts';
import type { transcribe } from './transcribe.ts';

declare module '../../core/operations/act-feature.ts' {
  interface ActWays {
    readonly transcribe: typeof transcribe;
  }
}

/** The first bytes of a recording of each format, behind so many others. */
const FORMATS: readonly (readonly [ending: string, at: number, begins: RegExp])[] = [
  ['ogg', 0, /^OggS/],
  ['mp3', 0, /^(?:ID3|\xff[\xe2-\xfb])/],
  ['mp4', 4, /^ftyp/],
  ['wav', 8, /^WAVE/],
  ['flac', 0, /^fLaC/],
];

const formatOf = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return FORMATS.find(([, at, begins]) => begins.test(head.slice(at)))?.[0];
};

const loadTranscribe: typeof transcribe = async (...given) => (await import('./audio.ts')).transcribe(...given);

/** @returns undefined if no model for recordings is set */
export const buildRecordingPower = ({
  env,
  secrets,
  ways: { transcribe: write = loadTranscribe },
}: Pick<KeyContext, 'env' | 'secrets' | 'ways'>): RecordingPower | undefined => {
  const endpoint = buildTranscriptionEndpoint(env, secrets.get('TRANSCRIPTION_API_KEY') ?? '');
  if (endpoint === undefined) return undefined;
  return {
    hear: async (attachment, bytes, noteCost) => {
      const format = formatOf(bytes);
      if (format === undefined) throw new ProtocolError('it is not a recording in a format that is known');
      const { price = 0 } = attachment;
      const text = await write(endpoint, bytes, `recording.${format}`, (seconds) =>
        noteCost(seconds === undefined ? price : heardPrice(attachment, seconds)),
      );
      if (text === '') throw new ProtocolError('nothing was said in it that could be understood');
      return text;
    },
  };
};
