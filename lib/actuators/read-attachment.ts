/**
 * Reads the files that came with messages: fetches the bytes through their channel, and has a
 * recording written down. What is no recording by its first bytes is refused, whatever its sender
 * called it. Reasons are plain words for the person who sent it.
 */

import { ProtocolError } from '../base/errors.ts';
import type { Senders } from '../channels/channel.ts';
import { ATTACHMENT_BYTES_MAX, buildTranscriptionEndpoint, whyTooLarge } from '../llm/transcription.ts';
import type { Secrets } from '../store/secrets.ts';
import type { Environment } from '../store/settings.ts';
import type { AttachmentPower } from '../tools/read-attachment.ts';

/** What a file of each format begins with, behind so many bytes. */
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

export const buildAttachmentPower = (senders: Senders, env: Environment<'act'>, secrets: Secrets): AttachmentPower => ({
  read: async (attachment, session) => {
    const tooLarge = whyTooLarge(attachment);
    if (tooLarge !== undefined) throw new ProtocolError(tooLarge);
    const endpoint = buildTranscriptionEndpoint(env, secrets.get('TRANSCRIPTION_API_KEY') ?? '');
    if (endpoint === undefined)
      throw new ProtocolError('no model for recordings is set; TRANSCRIPTION_MODEL, such as gpt-transcribe, names one');
    const sender = await senders.get(session.split(':')[0] ?? '')?.();
    if (sender?.fetchFile === undefined) throw new ProtocolError('its channel gives no files');
    const bytes = await sender.fetchFile(attachment.file, ATTACHMENT_BYTES_MAX);
    const format = formatOf(bytes);
    if (format === undefined) throw new ProtocolError('it is not a recording in a format that is known');
    const { transcribe } = await import('../llm/transcribe.ts');
    const text = await transcribe(endpoint, bytes, `recording.${format}`);
    if (text === '') throw new ProtocolError('nothing was said in it that could be understood');
    return { output: text, origin: 'owner' };
  },
});
