/**
 * Takes an editor's or an import's tree into memory. Nodes with the same text keep id and version.
 * Only a person's action. The tree stands in its signal, and in further signals if it is large. The
 * action names the hash that covers all of it, so that exactly the decided tree is taken in.
 */
import * as z from 'zod/mini';
import { Sha256 } from '../memory/object-parts.ts';
import { countWords } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

export const ingest = defineTool({
  name: 'ingest',
  sentence: ({ nodes, isGone }) =>
    isGone === true
      ? 'Take a document out of memory whose file is gone; its older versions stay'
      : `Take ${countWords(nodes, 'note')} from an editor into memory`,
  args: z.strictObject({ tree: Sha256, nodes: z.int().check(z.positive()), isGone: z.optional(z.literal(true)) }),
  tier: 'allow',
  isForPeople: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async ({ tree }, context) => {
    const { takeInTree } = await loadParts();
    return takeInTree(tree, context);
  },
});
