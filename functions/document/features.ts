/** The reader of documents: one row at most. */

import type { ReadBytes } from '../../lib/core/operations/document-messages.ts';
import { readDocument } from '../../lib/features/documents/read-document.ts';

export const READERS: readonly ReadBytes[] = [readDocument];
