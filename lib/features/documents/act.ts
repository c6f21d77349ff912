/** The part of documents in Act: reads files that came with messages, and stored documents. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildAttachmentPower, readStored } from './read-attachment.ts';

export const actDocuments: ActFeature = {
  buildKeyPowers: (context) => ({ attachments: buildAttachmentPower(context) }),
  readStored,
};
