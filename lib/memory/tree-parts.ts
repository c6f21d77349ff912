/**
 * A tree too large for one request: its list of nodes is cut into parts, each sent in a signal of its own, and the last piece names
 * those before it with their hashes. So the one action that takes the tree in stands for every byte of it, memory changes in
 * one commit or not at all, and parts that nobody names change nothing. Pure, but for the loading of parts.
 */
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_COMMIT_OBJECTS_MAX } from '../base/limits.ts';
import type { Payload } from '../signal/signal.ts';
import { countNodes, TreeUpdate, treeHash, type UpdateNode } from './tree-update.ts';

/** @returns the nodes in pieces of at most so many bytes of JSON; a node larger than that is a piece by itself */
export const splitNodes = (nodes: readonly UpdateNode[], bytesMax: number): readonly UpdateNode[][] => {
  const pieces: UpdateNode[][] = [];
  let room = 0;
  for (const node of nodes) {
    const bytes = Buffer.byteLength(JSON.stringify(node)) + 1;
    const open = pieces.at(-1);
    if (open === undefined || bytes > room) {
      pieces.push([node]);
      room = bytesMax - bytes;
    } else {
      open.push(node);
      room -= bytes;
    }
  }
  return pieces;
};

/** Signals that hold parts of what a signal came with. */
export const partSignalsOf = (payload: Payload): readonly string[] => {
  if (payload.sensor !== 'buffer-update') return [];
  const update = TreeUpdate.safeParse(payload.tree);
  return (update.data?.parts ?? []).map(({ signalId }) => signalId);
};

export interface WholeUpdate {
  readonly nodes: UpdateNode[];
  /** Of every piece. */
  readonly origins: readonly TreeUpdate['origin'][];
}

/** @throws ProtocolError where a part is not what the update says it is, or there are more nodes than fit one commit */
export const loadWhole = async (
  update: TreeUpdate,
  loadPayload: (signalId: string) => Promise<Payload | undefined>,
): Promise<WholeUpdate> => {
  if (update.isPart === true) throw new ProtocolError('a part of a tree is none');
  if (countNodes(update) > MEMORY_COMMIT_OBJECTS_MAX)
    throw new ProtocolError(`a tree has at most ${MEMORY_COMMIT_OBJECTS_MAX} nodes`);
  const nodes: UpdateNode[] = [];
  const origins: TreeUpdate['origin'][] = [update.origin];
  for (const [n, named] of (update.parts ?? []).entries()) {
    const payload = await loadPayload(named.signalId);
    const part = TreeUpdate.safeParse(payload?.sensor === 'buffer-update' ? payload.tree : undefined);
    if (part.data?.isPart !== true || treeHash(part.data) !== named.hash || part.data.nodes.length !== named.nodes)
      throw new ProtocolError(`parts.${n} is not the one that was decided`);
    nodes.push(...part.data.nodes);
    origins.push(part.data.origin);
  }
  return { nodes: [...nodes, ...update.nodes], origins };
};
