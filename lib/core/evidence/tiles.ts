/**
 * The log as files, in the layout of C2SP tlog-tiles: hash tiles, 256 wide and 8 levels high, and
 * bundles of up to 256 entries. A full file never changes; the last one of each level is partial,
 * and its width is in its name. Pure: nothing here knows where tiles are kept. Belongs to the
 * offline verifier: imports only the tree, errors and limits.
 */
import { ProtocolError } from '../base/errors.ts';
import { LEAF_BYTES_MAX } from './limits.ts';
import { appendLeaves, type CompactRange, HASH_BYTES, type Hash, type NodeRef, nodeHash } from './merkle.ts';

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

export interface TileRef {
  /** 0 holds hashes of leaves, 1 hashes of the full tiles below, and so on. */
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes or entries in it; 256 when full. */
  readonly width: number;
}

/** A hash tile, with 32 bytes for each hash, in order. */
export interface Tile {
  readonly ref: TileRef;
  readonly bytes: Uint8Array;
}

const digits = (value: number): string => String(value).padStart(3, '0');

const indexPath = (index: number): string => {
  let path = digits(index % 1000);
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    path = `x${digits(rest % 1000)}/${path}`;
  return path;
};

/** `tile/0/x001/x234/067.p/8`, `tile/entries/000` */
export const tilePath = ({ level, index, width }: TileRef): string =>
  `tile/${level}/${indexPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;

const PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile of a path, if `tilePath` spells it exactly so. */
export const parseTilePath = (path: string): TileRef | undefined => {
  const [, level = '', index = '', width] = PATH.exec(path) ?? [];
  if (level === '') return undefined;
  const ref: TileRef = {
    level: level === 'entries' ? 'entries' : Number(level),
    index: Number(index.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  return tilePath(ref) === path && ref.width <= TILE_WIDTH ? ref : undefined;
};

/** Number of hashes on a level of tiles in a log of `size` leaves. */
const hashesOn = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

const tilesOn = (level: TileRef['level'], from: number, to: number): readonly TileRef[] => {
  const refs: TileRef[] = [];
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < to; index += 1)
    refs.push({ level, index, width: Math.min(TILE_WIDTH, to - index * TILE_WIDTH) });
  return refs;
};

/**
 * Tiles that a log needs beyond those that it had when it was smaller: the full ones of each level,
 * and its last, partial one. With `older` 0 these are all tiles of the log.
 */
export const tilesOfGrowth = (older: number, newer: number): readonly TileRef[] => {
  const refs: TileRef[] = [];
  for (let level = 0; hashesOn(level, newer) > 0; level += 1) {
    const [from, to] = [hashesOn(level, older), hashesOn(level, newer)];
    if (from < to) refs.push(...tilesOn(level, from, to));
  }
  return older < newer ? [...refs, ...tilesOn('entries', older, newer)] : refs;
};

/** The tile of a node, and the first of its 2^(level mod 8) hashes there. */
const placeOf = ({ level, index }: NodeRef, size: number): { readonly ref: TileRef; readonly first: number } => {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const width = 2 ** (level % TILE_HEIGHT);
  const tileIndex = Math.floor((index * width) / TILE_WIDTH);
  const hashes = hashesOn(tileLevel, size) - tileIndex * TILE_WIDTH;
  return {
    ref: { level: tileLevel, index: tileIndex, width: Math.min(TILE_WIDTH, hashes) },
    first: (index * width) % TILE_WIDTH,
  };
};

/** Tiles of these nodes, each once. */
export const tilesOfNodes = (nodes: readonly NodeRef[], size: number): readonly TileRef[] => {
  const refs = nodes.map((node) => placeOf(node, size).ref);
  return [...new Map(refs.map((ref) => [tilePath(ref), ref])).values()];
};

/** Root of 2^n hashes side by side in a tile. */
export const hashWithin = (bytes: Uint8Array, first: number, width: number): Hash =>
  width === 1
    ? bytes.subarray(first * HASH_BYTES, (first + 1) * HASH_BYTES)
    : nodeHash(hashWithin(bytes, first, width / 2), hashWithin(bytes, first + width / 2, width / 2));

/** The hash of a subtree, read from its tile. @throws ProtocolError if node or tile is missing */
export const readNode = (node: NodeRef, size: number, tileAt: (path: string) => Uint8Array | undefined): Hash => {
  if ((node.index + 1) * 2 ** node.level > size) throw new ProtocolError(`a log of ${size} leaves has no such node`);
  const { ref, first } = placeOf(node, size);
  const path = tilePath(ref);
  const bytes = tileAt(path);
  if (bytes?.length !== ref.width * HASH_BYTES) throw new ProtocolError(`${path} is missing or of another size`);
  return hashWithin(bytes, first, 2 ** (node.level % TILE_HEIGHT));
};

/** A log as its writer keeps it: the compact range, and each level's last tile if it is partial. */
export interface LogEdge {
  readonly range: CompactRange;
  /** The last partial tile of each level; empty if the level ends with a full tile. */
  readonly partials: readonly Uint8Array[];
}

/** Appends leaves, and gives the hash tiles to write: the full ones, and the new partial ones. */
export const growTiles = (
  edge: LogEdge,
  leaves: readonly Hash[],
): { readonly edge: LogEdge; readonly tiles: readonly Tile[] } => {
  const { size } = edge.range;
  const open = edge.partials.map((bytes) => [bytes]);
  for (let level = 0; level < edge.partials.length || hashesOn(level, size) > 0; level += 1)
    if ((edge.partials[level]?.length ?? 0) !== (hashesOn(level, size) % TILE_WIDTH) * HASH_BYTES)
      throw new ProtocolError(`the last tile on level ${level} does not belong to a log of ${size} leaves`);
  const full: Tile[] = [];
  const range = appendLeaves(edge.range, leaves, (level, index, hash) => {
    if (level % TILE_HEIGHT !== 0) return;
    const tileLevel = level / TILE_HEIGHT;
    const parts = open[tileLevel] ?? [];
    open[tileLevel] = parts;
    parts.push(hash);
    if (index % TILE_WIDTH !== TILE_WIDTH - 1) return;
    const ref = { level: tileLevel, index: Math.floor(index / TILE_WIDTH), width: TILE_WIDTH };
    full.push({ ref, bytes: Buffer.concat(parts) });
    open[tileLevel] = [];
  });
  const partials = open.map((parts) => Buffer.concat(parts));
  const changed = tilesOfGrowth(size, range.size).flatMap((ref): readonly Tile[] =>
    ref.level === 'entries' || ref.width === TILE_WIDTH
      ? []
      : [{ ref, bytes: partials[ref.level] ?? new Uint8Array(0) }],
  );
  return { edge: { range, partials }, tiles: [...full, ...changed] };
};

const LENGTH_BYTES = 2;

/** @throws ProtocolError if an entry is too long, or there are more than a tile holds */
export const buildEntryBundle = (entries: readonly Uint8Array[]): Uint8Array => {
  if (entries.length > TILE_WIDTH) throw new ProtocolError('an entry bundle holds at most 256 entries');
  const parts = entries.flatMap((entry): readonly Uint8Array[] => {
    if (entry.length > LEAF_BYTES_MAX) throw new ProtocolError('an entry is too long');
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt16BE(entry.length);
    return [length, entry];
  });
  return Buffer.concat(parts);
};

/** @throws ProtocolError if the bytes are not exactly `width` entries */
export const parseEntryBundle = (bytes: Uint8Array, width: number): readonly Uint8Array[] => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < view.length) {
    const start = at + LENGTH_BYTES;
    const end = start > view.length ? start : start + view.readUInt16BE(at);
    if (end > view.length) throw new ProtocolError('an entry bundle ends within an entry');
    entries.push(view.subarray(start, end));
    at = end;
  }
  if (entries.length !== width) throw new ProtocolError(`an entry bundle of ${width} holds ${entries.length} entries`);
  return entries;
};
