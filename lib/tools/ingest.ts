/**
 * Takes an editor's or an import's tree into memory: nodes that say the same keep id and version. A person's action only. The
 * tree stands in the signal it came with, a large one also in those it names as its parts; the action names its hash, which
 * covers theirs, so that what was decided is what is taken in.
 */
import * as z from 'zod/mini';
import { loadWhole } from '../commands/tree-parts.ts';
import { buildTree, TreeUpdate, treeHash } from '../commands/tree-update.ts';
import { ProtocolError } from '../errors.ts';
import type { TreeNode } from '../memory/ingest.ts';
import { Sha256 } from '../memory/object.ts';
import { joinOrigins } from '../signal/signal.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** The object the sender meant, as long as it is a root, which stays of its type; else the tree is known by its key. */
const targetOf = async ({ memory }: ToolContext, wanted: string | undefined, tree: TreeNode) => {
  const object = wanted === undefined ? undefined : await memory.load(wanted);
  if (object?.state !== 'live' || object.parentId !== undefined) return { tree };
  // Neither is anybody's note.
  if (object.type === 'bucket' || object.type === 'summary') return { tree };
  return { rootId: object.id, tree: { ...tree, type: object.type } };
};

export const ingest = defineTool({
  name: 'ingest',
  description: "Take an editor's tree into memory.",
  args: z.strictObject({ tree: Sha256, nodes: z.int().check(z.positive()) }),
  tier: 'allow',
  isForPeople: true,
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ tree: hash }, context) => {
    const { memory, origin, effectId, signalId, actor, now } = context;
    const payload = await context.loadPayload(signalId);
    const update = TreeUpdate.safeParse(payload?.sensor === 'buffer-update' ? payload.tree : undefined);
    if (!update.success || treeHash(update.data) !== hash)
      throw new ProtocolError('the tree is not the one that was decided');
    const { nodes, origins } = await loadWhole(update.data, context.loadPayload);
    const target = await targetOf(context, update.data.rootId, buildTree({ nodes }));
    const by = { effectId, signalId, actor, now };
    const { rootId, counts } = await memory.ingestTree({
      by,
      ...target,
      origin: joinOrigins([origin, ...origins]),
    });
    const { created = 0, updated = 0, moved = 0, removed = 0 } = counts ?? {};
    const said =
      counts === undefined
        ? 'taken in before'
        : `${created} new, ${updated} changed, ${moved} moved, ${removed} removed`;
    return { output: `Took in ${rootId}: ${said}.`, origin: 'agent' };
  },
});
