/** Performs `ingest`. */
import { ProtocolError } from '../base/errors.ts';
import type { TreeNode } from '../memory/ingest.ts';
import { buildTree, loadWhole, TreeUpdate, treeHash } from '../memory/tree-update.ts';
import { joinOrigins } from '../signal/signal.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

/** The object the sender meant, if it is a root of that type; else the tree is found by its key. */
const targetOf = async ({ memory }: ToolContext, wanted: string | undefined, tree: TreeNode) => {
  const object = wanted === undefined ? undefined : await memory.load(wanted);
  if (object?.state !== 'live' || object.parentId !== undefined) return { tree };
  // Neither is a person's note.
  if (object.type === 'bucket' || object.type === 'summary') return { tree };
  return { rootId: object.id, tree: { ...tree, type: object.type } };
};

/** @param hash of the decided tree. @throws ProtocolError if the signal holds another tree. */
export const takeInTree = async (hash: string, context: ToolContext): Promise<ToolOutput> => {
  const { memory, origin, effectId, signalId, actor, now } = context;
  const payload = await context.records.loadPayload(signalId);
  const update = TreeUpdate.safeParse(payload?.sensor === 'buffer-update' ? payload.tree : undefined);
  if (!update.success || treeHash(update.data) !== hash)
    throw new ProtocolError('the tree is not the one that was decided');
  const { nodes, origins } = await loadWhole(update.data, context.records.loadPayload);
  const target = await targetOf(context, update.data.rootId, buildTree({ nodes }));
  const by = { effectId, signalId, actor, now };
  const { rootId, counts } = await memory.ingestTree({
    by,
    ...target,
    isGone: update.data.isGone,
    seen: update.data.seen,
    origin: joinOrigins([origin, ...origins]),
  });
  const { created = 0, updated = 0, moved = 0, removed = 0 } = counts ?? {};
  const said =
    counts === undefined ? 'taken in before' : `${created} new, ${updated} changed, ${moved} moved, ${removed} removed`;
  return { output: `Took in ${rootId}: ${said}.`, origin: 'agent' };
};
