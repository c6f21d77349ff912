/**
 * The hash tiles of an export: every one that the log has and no other, each as wide as it should
 * be. The lowest tiles must hold the hashes of the leaves. If one does not, either may be wrong,
 * and the checkpoints tell which.
 */
import { HASH_BYTES, type Hash, isSameHash, type NodeRef } from '../merkle.ts';
import { hashWithin, readNode, TILE_WIDTH, type TileRef, tilePath, tilesOfGrowth } from '../tiles.ts';
import { type Fields, fail, readText } from './fields.ts';
import { hashAt, type Leaves } from './leaves.ts';

export interface HashTiles {
  readonly leaves: Leaves;
  /** Tiles of the log, in the order in which they must come. */
  readonly due: readonly TileRef[];
  readonly bytesByPath: Map<string, Uint8Array>;
  /** First leaf whose hash is not the one that its tile holds. */
  difference: { readonly index: number; readonly path: string } | undefined;
}

export const startTiles = (leaves: Leaves): HashTiles => ({
  leaves,
  due: tilesOfGrowth(0, leaves.names.length).filter(({ level }) => level !== 'entries'),
  bytesByPath: new Map(),
  difference: undefined,
});

export const nodeAt = ({ leaves, bytesByPath }: HashTiles, node: NodeRef): Hash =>
  readNode(node, leaves.names.length, (path) => bytesByPath.get(path));

const hashIn = (bytes: Uint8Array, at: number): Hash => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);

/** The hash that the tile must hold at this place, as far as the lines before it say. */
const expectedHash = ({ leaves, bytesByPath }: HashTiles, { level, index }: TileRef, at: number): Hash => {
  const place = index * TILE_WIDTH + at;
  if (level === 0) return hashAt(leaves, place);
  const below = { level: Number(level) - 1, index: place, width: TILE_WIDTH };
  const bytes = bytesByPath.get(tilePath(below));
  return bytes === undefined ? new Uint8Array(0) : hashWithin(bytes, 0, TILE_WIDTH);
};

const compareTile = (tiles: HashTiles, ref: TileRef, path: string, bytes: Uint8Array): void => {
  for (let at = 0; at < ref.width; at += 1) {
    if (isSameHash(hashIn(bytes, at), expectedHash(tiles, ref, at))) continue;
    // Above a tile that differs, nothing more is known.
    if (ref.level !== 0 && tiles.difference !== undefined) return;
    if (ref.level !== 0) fail('tile', path, null, `its hash ${at} is not the root of the tile below`);
    tiles.difference ??= { index: ref.index * TILE_WIDTH + at, path };
    return;
  }
};

export const addTile = (tiles: HashTiles, line: Fields): void => {
  const ref = tiles.due[tiles.bytesByPath.size];
  const path = readText(line, 'path') ?? '';
  if (ref === undefined) fail('tile', path, null, 'the log has no such tile');
  if (path !== tilePath(ref)) fail('tile', tilePath(ref), null, `it is missing; ${path} stands in its place`);
  const data = readText(line, 'data') ?? '';
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data || bytes.length !== ref.width * HASH_BYTES)
    fail('tile', path, null, 'it is not as long as its name says');
  compareTile(tiles, ref, path, bytes);
  tiles.bytesByPath.set(path, bytes);
};

export const endTiles = ({ due, bytesByPath }: HashTiles): void => {
  const missing = due[bytesByPath.size];
  if (missing !== undefined) fail('tile', tilePath(missing), null, 'it is missing');
};
