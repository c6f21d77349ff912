/**
 * Keeps the text of a file that came with a message as a document of memory, because an approver
 * wrote `/ingest` to it. The action names the text by its hash, and the text stays of its origin
 * (I13). The same text is kept once.
 */
import * as z from 'zod/mini';
import { Sha256 } from '../memory/object-parts.ts';
import { INGEST_FILE } from '../signal/attachment.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

const IngestFileArgs = z.strictObject({
  /** The result of the signal that has the text. */
  n: z.int().check(z.nonnegative()),
  hash: Sha256,
  name: z.string().check(z.maxLength(128)),
});
export type IngestFileArgs = z.infer<typeof IngestFileArgs>;

export const ingestFile = defineTool({
  name: INGEST_FILE,
  sentence: ({ name }) => `Keep the text of the file ${quoted(name)} in memory, as words of others`,
  args: IngestFileArgs,
  tier: 'ask',
  isAlwaysAsked: true,
  isForPeople: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async (args, context) => (await loadParts()).takeInFile(args, context),
});
