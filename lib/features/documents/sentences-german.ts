/** The sentence of the tool in German, as `tools.ts` has it in English. */
import { fileKind } from '../../core/text/file-kinds-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const DOCUMENT_SENTENCES: Readonly<Record<string, Sentence>> = {
  'read-attachment': ({ kind }) => `Lesen: ${fileKind(String(kind))}`,
};
