/** The bounds of a file that came with a message, apart from what each turn loads. Pure. */
import { ATTACHMENT_BYTES_MAX } from '../base/limits.ts';
import type { Attachment } from './attachment.ts';

/** As long as a person speaks in one go. A model bills every minute. */
const RECORDING_SECONDS_MAX = 600;

/** Says which bound the sender's own numbers break; undefined for none. */
export const whyTooLarge = ({ seconds = 0, bytes = 0 }: Pick<Attachment, 'seconds' | 'bytes'>): string | undefined => {
  if (bytes > ATTACHMENT_BYTES_MAX) return 'it has more than 20 MB';
  return seconds > RECORDING_SECONDS_MAX ? 'it lasts longer than 10 minutes' : undefined;
};
