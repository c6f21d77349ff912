/**
 * Takes an editor's or an import's tree into memory: nodes that say the same keep id and version. A person's action only. The
 * tree stands in the signal it came with, a large one also in those it names as its parts; the action names its hash, which
 * covers theirs, so that what was decided is what is taken in.
 */
import * as z from 'zod/mini';
import { Sha256 } from '../memory/object-parts.ts';
import { defineTool } from './tool.ts';

export const ingest = defineTool({
  name: 'ingest',
  description: "Take an editor's tree into memory.",
  args: z.strictObject({ tree: Sha256, nodes: z.int().check(z.positive()) }),
  tier: 'allow',
  isForPeople: true,
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ tree }, context) => {
    const { takeInTree } = await import('./take-in-tree.ts');
    return takeInTree(tree, context);
  },
});
