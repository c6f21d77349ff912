/**
 * The hash tiles of an export: every one the log has and no other, each the width it should have.
 * The lowest ones must hold the hashes of the leaves; where one does not, either may be wrong, and
 * the checkpoints tell which.
 */
import { HASH_BYTES, type Hash, isSameHash, type NodeRef, nodeHash } from '../merkle.ts';
import { readNode, type TileRef, tilePath, tilesOfGrowth } from '../tiles.ts';
import { type Fields, textOf } from './fields.ts';
import type { LeafSection } from './leaf-section.ts';
import { fail } from './wrong.ts';

export interface TileSection {
  readonly add: (line: Fields) => void;
  /** Called after the last one. */
  readonly end: () => void;
  /** First leaf whose hash is not the one its tile holds, or nothing. */
  readonly firstDifference: () => { readonly index: number; readonly path: string } | undefined;
  readonly nodeAt: (node: NodeRef) => Hash;
}

/** Root of a full tile, which the next level's tile holds. */
const rootOfFull = (bytes: Uint8Array): Hash => {
  let row: readonly Hash[] = Array.from({ length: bytes.length / HASH_BYTES }, (_, n) =>
    bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
  while (row.length > 1) {
    const pairs = row;
    row = Array.from({ length: pairs.length / 2 }, (_, n) =>
      nodeHash(pairs[2 * n] ?? new Uint8Array(0), pairs[2 * n + 1] ?? new Uint8Array(0)),
    );
  }
  return row[0] ?? new Uint8Array(0);
};

export const buildTileSection = (leaves: LeafSection): TileSection => {
  const size = leaves.count();
  const due = tilesOfGrowth(0, size).filter(({ level }) => level !== 'entries');
  const tiles = new Map<string, Uint8Array>();
  let difference: { index: number; path: string } | undefined;

  /** What the tile must hold at this place, as far as the lines before it say. */
  const expectedAt = ({ level, index }: TileRef, at: number): Hash => {
    const place = index * 256 + at;
    if (level === 0) return leaves.hashAt(place);
    const below = { level: Number(level) - 1, index: place, width: 256 };
    return rootOfFull(tiles.get(tilePath(below)) ?? new Uint8Array(0));
  };

  const compare = (ref: TileRef, path: string, bytes: Uint8Array): void => {
    for (let at = 0; at < ref.width; at += 1) {
      if (isSameHash(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), expectedAt(ref, at))) continue;
      // Below a tile that differs already, nothing more is known.
      if (ref.level !== 0 && difference !== undefined) return;
      if (ref.level !== 0) fail('tile', path, null, `its hash ${at} is not the root of the tile below`);
      difference ??= { index: ref.index * 256 + at, path };
      return;
    }
  };

  return {
    firstDifference: () => difference,
    nodeAt: (node) => readNode(node, size, (path) => tiles.get(path)),
    add: (line) => {
      const ref = due[tiles.size];
      const path = textOf(line, 'path') ?? '';
      if (ref === undefined) return fail('tile', path, null, 'the log has no such tile');
      if (path !== tilePath(ref)) fail('tile', tilePath(ref), null, `it is missing; ${path} stands in its place`);
      const data = textOf(line, 'data') ?? '';
      const bytes = Buffer.from(data, 'base64');
      if (bytes.toString('base64') !== data || bytes.length !== ref.width * HASH_BYTES)
        fail('tile', path, null, 'it is not as long as its name says');
      compare(ref, path, bytes);
      tiles.set(path, bytes);
    },
    end: () => {
      const missing = due[tiles.size];
      if (missing !== undefined) fail('tile', tilePath(missing), null, 'it is missing');
    },
  };
};
