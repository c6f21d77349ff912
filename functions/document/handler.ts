/**
 * Document: gives the text of a PDF or an office file. It alone runs their parsers, and its role
 * may only read the content store: a file made to break a parser harms nothing else.
 */
import { type DocumentAnswer, DocumentRequest, NO_READER } from '../../lib/core/operations/document-messages.ts';
import { buildContents } from '../../lib/core/store/contents.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { READERS } from './features.ts';

const env = readEnvironment('document');
const contents = buildContents(env);
const [read] = READERS;

export const handler = async (event: unknown): Promise<DocumentAnswer> => {
  const { hash } = DocumentRequest.parse(event);
  const bytes = await contents?.load(hash);
  if (bytes === undefined) return { isGone: true };
  return read === undefined ? { why: NO_READER } : read(bytes);
};
