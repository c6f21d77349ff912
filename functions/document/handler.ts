/**
 * Document: gives the text of a PDF or an office file. It alone runs their parsers, and its role
 * may only read the content store: a file made to break a parser harms nothing else.
 */
import { type DocumentAnswer, DocumentRequest } from '../../lib/documents/document.ts';
import { readDocument } from '../../lib/documents/read-document.ts';
import { buildContents } from '../../lib/store/contents.ts';
import { readEnvironment } from '../../lib/store/env.ts';

const env = readEnvironment('document');
const contents = buildContents(env);

export const handler = async (event: unknown): Promise<DocumentAnswer> => {
  const { hash } = DocumentRequest.parse(event);
  const bytes = await contents?.load(hash);
  return bytes === undefined ? { isGone: true } : readDocument(bytes);
};
