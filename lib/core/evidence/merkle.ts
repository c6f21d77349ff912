/**
 * The Merkle tree of RFC 9162 (§2.1) as it grows: hashes of leaves and nodes, and the compact
 * range. The range holds the roots of the complete subtrees of a log, at most one for each bit of
 * its size. It is enough to append leaves and to give the root, so the log's head item keeps it.
 * Pure. Belongs to the offline verifier: imports only node:crypto, errors and limits.
 */
import { hash } from 'node:crypto';
import { ProtocolError } from '../base/errors.ts';
import { LOG_LEAVES_MAX } from '../base/limits.ts';

/** 32 bytes of SHA-256. */
export type Hash = Uint8Array;
export const HASH_BYTES = 32;

/** The roots of the complete subtrees of a log, the largest (leftmost) first. */
export interface CompactRange {
  readonly size: number;
  readonly hashes: readonly Hash[];
}

/** The `index`-th complete subtree of 2^level leaves, from the left. */
export interface NodeRef {
  readonly level: number;
  readonly index: number;
}

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/** To hash to a byte string takes half the time of hashing to a buffer. */
const sha256 = (bytes: Uint8Array): Hash => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');

/** The prefixes keep leaves and nodes apart: no entry can pass for a pair of subtrees. */
export const leafHash = (entry: Uint8Array): Hash => {
  const bytes = Buffer.allocUnsafe(1 + entry.length);
  bytes[0] = LEAF_PREFIX;
  bytes.set(entry, 1);
  return sha256(bytes);
};

export const nodeHash = (left: Hash, right: Hash): Hash => {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = NODE_PREFIX;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
};

export const isSameHash = (left: Hash, right: Hash): boolean => Buffer.compare(left, right) === 0;

export const EMPTY_RANGE: CompactRange = Object.freeze({ size: 0, hashes: Object.freeze([]) });

/** Number of complete subtrees of a log: the set bits of its size. */
const subtreesOf = (size: number): number => size.toString(2).replaceAll('0', '').length;

/** A stored range. @throws ProtocolError if size and hashes do not belong together */
export const parseRange = (size: number, hashes: readonly Hash[]): CompactRange => {
  if (!Number.isSafeInteger(size) || size < 0 || size > LOG_LEAVES_MAX)
    throw new ProtocolError('a compact range has no usable size');
  if (hashes.length !== subtreesOf(size) && !(size === 0 && hashes.length === 0))
    throw new ProtocolError('a compact range does not hold one hash for each of its subtrees');
  if (hashes.some((one) => one.length !== HASH_BYTES))
    throw new ProtocolError('a compact range holds a hash of another length');
  return { size, hashes };
};

/** The range with these leaves. @param onNode called with each complete node, for tiles */
export const appendLeaves = (
  range: CompactRange,
  leaves: Iterable<Hash>,
  onNode?: (level: number, index: number, hash: Hash) => void,
): CompactRange => {
  const hashes = [...range.hashes];
  let { size } = range;
  for (const leaf of leaves) {
    let node = leaf;
    let level = 0;
    let index = size;
    onNode?.(level, index, node);
    // An odd index has a left neighbour in the range: together they are the next level's node.
    while (index % 2 === 1) {
      const left = hashes.pop();
      if (left === undefined) throw new ProtocolError('a compact range lacks a subtree');
      node = nodeHash(left, node);
      level += 1;
      index = (index - 1) / 2;
      onNode?.(level, index, node);
    }
    hashes.push(node);
    size += 1;
  }
  return { size, hashes };
};

/** Root of subtrees that stand side by side, the largest first. */
export const foldHashes = (hashes: readonly Hash[]): Hash => {
  const last = hashes.at(-1);
  if (last === undefined) return sha256(Buffer.alloc(0));
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
};

/** Root hash of the log; of an empty one the hash of nothing (§2.1.1). */
export const rootOf = (range: CompactRange): Hash => foldHashes(range.hashes);
