/**
 * Reads the files that came with messages: fetches the bytes through their channel, has a recording
 * written down, and gives the text of a document. The first bytes say what a file is, never its
 * name or what its sender called it. Reasons are plain words for the person who sent it.
 */
import { ProtocolError } from '../base/errors.ts';
import type { Senders } from '../channels/channel.ts';
import { ATTACHMENT_BYTES_MAX, buildTranscriptionEndpoint, whyTooLarge } from '../llm/transcription.ts';
import { isRecording } from '../signal/attachment.ts';
import type { Secrets } from '../store/secrets.ts';
import type { Environment } from '../store/settings.ts';
import type { AttachmentPower } from '../tools/read-attachment.ts';

/** A long book. Only its beginning is stored, and HTML is converted whole. */
const TEXT_BYTES_MAX = 2_000_000;

/** What a recording of each format begins with, behind so many bytes. */
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

type Read = AttachmentPower['read'];

const listen = async (
  endpoint: NonNullable<ReturnType<typeof buildTranscriptionEndpoint>>,
  bytes: Uint8Array<ArrayBuffer>,
): ReturnType<Read> => {
  const format = formatOf(bytes);
  if (format === undefined) throw new ProtocolError('it is not a recording in a format that is known');
  const { transcribe } = await import('../llm/transcribe.ts');
  const text = await transcribe(endpoint, bytes, `recording.${format}`);
  if (text === '') throw new ProtocolError('nothing was said in it that could be understood');
  return { output: text, origin: 'owner' };
};

/** UTF-8 without NUL is text. @returns undefined for anything else */
const textIn = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
};

const HTML = /^\s*(?:<!--[\s\S]{0,1000}?-->\s*)?<(?:!doctype html|html)\b/i;

const readText = async (bytes: Uint8Array): ReturnType<Read> => {
  const text = textIn(bytes);
  if (text === undefined)
    throw new ProtocolError(
      'it is not text (plain, Markdown, CSV, JSON, HTML, source), and nothing else can be read yet',
    );
  if (bytes.byteLength > TEXT_BYTES_MAX)
    throw new ProtocolError(`it has more than ${TEXT_BYTES_MAX / 1_000_000} MB of text`);
  const output = HTML.test(text) ? (await import('../tools/html-text.ts')).htmlText(text) : text;
  if (output.trim() === '') throw new ProtocolError('it is empty');
  return { output, origin: 'outside' };
};

export const buildAttachmentPower = (senders: Senders, env: Environment<'act'>, secrets: Secrets): AttachmentPower => ({
  read: async (attachment, session) => {
    const tooLarge = whyTooLarge(attachment);
    if (tooLarge !== undefined) throw new ProtocolError(tooLarge);
    const endpoint = buildTranscriptionEndpoint(env, secrets.get('TRANSCRIPTION_API_KEY') ?? '');
    if (endpoint === undefined && isRecording(attachment.kind))
      throw new ProtocolError('no model for recordings is set; TRANSCRIPTION_MODEL, such as gpt-transcribe, names one');
    const sender = await senders.get(session.split(':')[0] ?? '')?.();
    if (sender?.fetchFile === undefined) throw new ProtocolError('its channel gives no files');
    const bytes = await sender.fetchFile(attachment.file, ATTACHMENT_BYTES_MAX);
    return endpoint !== undefined && isRecording(attachment.kind) ? listen(endpoint, bytes) : readText(bytes);
  },
});
