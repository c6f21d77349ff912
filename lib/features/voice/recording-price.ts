/**
 * The price of a recording: micro-dollars a minute, from the makers' price pages, November 2026. A
 * model that is not listed costs as much as the most expensive one; a service on this machine costs
 * nothing. Pure.
 */
import { parseUsd } from '../../core/base/money.ts';
import {
  buildTranscriptionEndpoint,
  isOnThisMachine,
  type RecordingEnv,
  type TranscriptionEndpoint,
} from '../../core/llm/audio-endpoint.ts';
import type { Attachment } from '../../core/signal/attachment.ts';
import { whyTooLarge } from '../../core/signal/attachment-bounds.ts';

type Size = Pick<Attachment, 'seconds' | 'bytes'>;

/** 20 MB at 128 kbit/s: no provider's word costs more. */
const RECORDING_BILLED_SECONDS_MAX = 1_250;
/** 128 kbit/s: no shorter duration than that of so many bytes is believed. */
const RECORDING_BYTES_A_SECOND = 16_000;

const MINUTES: Readonly<Record<string, number>> = {
  'gpt-transcribe': 4_500,
  'gpt-4o-transcribe': 6_000,
  'gpt-4o-mini-transcribe': 3_000,
  'whisper-1': 6_000,
  'whisper-large-v3': 1_850,
  'whisper-large-v3-turbo': 667,
};

const minutePrice = (endpoint: TranscriptionEndpoint): number => {
  if (isOnThisMachine(endpoint)) return 0;
  const { model } = endpoint;
  const listed = Object.hasOwn(MINUTES, model) ? MINUTES[model] : undefined;
  return listed ?? Math.max(...Object.values(MINUTES));
};

/** No shorter than its bytes can be. */
const secondsOf = ({ seconds = 0, bytes = 0 }: Size): number =>
  Math.max(seconds, Math.ceil(bytes / RECORDING_BYTES_A_SECOND));

/** Micro-dollars, whole seconds. Nothing is paid for what is not sent. */
export const recordingPrice = (env: RecordingEnv, size: Size): number => {
  const endpoint = buildTranscriptionEndpoint(env, '');
  if (endpoint === undefined || whyTooLarge(size) !== undefined) return 0;
  const minute = parseUsd(env.TRANSCRIPTION_PRICE ?? '') ?? minutePrice(endpoint);
  return Math.ceil((secondsOf(size) * minute) / 60);
};

/** The same price for as many seconds as a provider says it heard, if these can be. */
export const heardPrice = (attachment: Size & Pick<Attachment, 'price'>, seconds: number): number => {
  const [reserved, { price = 0 }] = [secondsOf(attachment), attachment];
  const heard = Math.min(Math.ceil(seconds), RECORDING_BILLED_SECONDS_MAX);
  return reserved === 0 ? price : Math.ceil((heard * price) / reserved);
};
