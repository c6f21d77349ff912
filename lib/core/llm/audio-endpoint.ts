/** The endpoint that writes recordings down, as the settings name it. Pure. */
import { isLoopback } from '../store/setting-forms.ts';
import type { Values } from '../store/settings.ts';

/** Holds its key: never log one whole. */
export interface TranscriptionEndpoint {
  /** Without `/audio/transcriptions`. */
  readonly baseUrl: string;
  /** Empty if none is needed. */
  readonly key: string;
  readonly model: string;
}

export type TranscriptionEnv = Partial<Values<'TRANSCRIPTION_MODEL' | 'TRANSCRIPTION_BASE_URL' | 'OPENAI_BASE_URL'>>;

/** With what the owner says that a recording costs. */
export type RecordingEnv = TranscriptionEnv & Partial<Values<'TRANSCRIPTION_PRICE'>>;

const OPENAI_URL = 'https://api.openai.com/v1';

/** @returns undefined without TRANSCRIPTION_MODEL */
export const buildTranscriptionEndpoint = (env: TranscriptionEnv, key: string): TranscriptionEndpoint | undefined => {
  const model = env.TRANSCRIPTION_MODEL?.trim() ?? '';
  const baseUrl = env.TRANSCRIPTION_BASE_URL || env.OPENAI_BASE_URL || OPENAI_URL;
  return model === '' ? undefined : { baseUrl, key, model };
};

export const isOnThisMachine = ({ baseUrl }: TranscriptionEndpoint): boolean =>
  URL.canParse(baseUrl) && isLoopback(new URL(baseUrl));
