/** Builds proofs from the tiles in the table. Reads only. */
import type { Hash, NodeRef } from '../evidence/merkle.ts';
import { buildProof } from '../evidence/proofs.ts';
import { readNode, tilePath, tilesOfNodes } from '../evidence/tiles.ts';
import type { Table } from '../store/table.ts';
import { loadTile } from './read-log.ts';

/** @param parts nodes that the proof needs. @throws ProtocolError if a tile is missing */
export const loadProof = async (
  table: Pick<Table, 'load' | 'query'>,
  space: string,
  parts: readonly (readonly NodeRef[])[],
  size: number,
): Promise<readonly Hash[]> => {
  const refs = tilesOfNodes(parts.flat(), size);
  const loaded = await Promise.all(refs.map((ref) => loadTile(table, space, ref)));
  const tiles = new Map(refs.map((ref, n) => [tilePath(ref), loaded[n]]));
  return buildProof(parts, (node) => readNode(node, size, (path) => tiles.get(path)));
};
