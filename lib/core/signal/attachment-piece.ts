/** A file of a message as a piece of text: `[a voice message, 12 s, 31204 bytes, file AwAC…]`. */
import { ATTACHMENT_LABEL, Attachment } from './attachment.ts';
import type { Origin, TextPiece } from './signal.ts';

export const buildAttachmentPiece = ({ kind, file, seconds, bytes }: Attachment, origin: Origin): TextPiece => {
  const size = [seconds === undefined ? '' : `, ${seconds} s`, bytes === undefined ? '' : `, ${bytes} bytes`].join('');
  return { text: `[${kind}${size}, file ${file}]`, origin, label: ATTACHMENT_LABEL };
};

const FORM = /^\[([a-z ]+?)(?:, (\d{1,9}) s)?(?:, (\d{1,12}) bytes)?, file ([\w-]+)\]$/;

/** @returns undefined if this release does not know its form */
export const parseAttachmentPiece = ({ text }: TextPiece): Attachment | undefined => {
  const [, kind, seconds, bytes, file] = FORM.exec(text) ?? [];
  const sizes = Object.entries({ seconds, bytes }).flatMap(([name, size]) =>
    size === undefined ? [] : [[name, Number(size)]],
  );
  return Attachment.safeParse({ kind, file, ...Object.fromEntries(sizes) }).data;
};
