/** The reader of documents: one row at most. */
import { readDocument } from '../../lib/features/documents/read-document.ts';
import type { ReadBytes } from '../../lib/operations/document-messages.ts';

export const READERS: readonly ReadBytes[] = [readDocument];
