/**
 * Document: reads a PDF or an office file that lies in the content store, and gives its text. It
 * alone runs their parsers; its role may read that store and do nothing else, so a file that is
 * made to break a parser harms nothing else. Trigger: Act, which waits for the answer. A request
 * that comes twice gets the same answer.
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
