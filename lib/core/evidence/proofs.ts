/**
 * Inclusion and consistency proofs of RFC 9162 (§2.1.3, §2.1.4): the nodes that a proof needs,
 * building it from them, and verifying it with nothing but the proof and the roots. To verify never
 * throws: a proof of another length or shape is false. Pure. Belongs to the offline verifier:
 * imports only the tree and errors.
 */
import { ProtocolError } from '../base/errors.ts';
import { foldHashes, type Hash, isSameHash, type NodeRef, nodeHash } from './merkle.ts';

/** Complete subtrees of the leaves from `start` up to, not including, `end`; the largest first. */
const nodesBetween = (start: number, end: number): readonly NodeRef[] => {
  const nodes: NodeRef[] = [];
  for (let at = start; at < end; ) {
    let level = 0;
    let width = 1;
    while (at % (width * 2) === 0 && at + width * 2 <= end) {
      width *= 2;
      level += 1;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
};

/** Leaves left of a tree's split: the largest power of two below its size. */
const splitOf = (leaves: number): number => {
  let width = 1;
  while (width * 2 < leaves) width *= 2;
  return width;
};

const checkSizes = (smaller: number, larger: number, isFirstOpen: boolean): void => {
  const isUsable = Number.isSafeInteger(smaller) && Number.isSafeInteger(larger) && smaller >= 0;
  if (!isUsable || (isFirstOpen ? smaller >= larger : smaller > larger))
    throw new ProtocolError(`there is no proof of ${smaller} in a log of ${larger}`);
};

/** The subtrees behind each hash of the proof, from the leaf upwards. @throws ProtocolError */
export const inclusionNodes = (index: number, size: number): readonly (readonly NodeRef[])[] => {
  checkSizes(index, size, true);
  const parts: (readonly NodeRef[])[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      parts.push(nodesBetween(middle, end));
      end = middle;
    } else {
      parts.push(nodesBetween(start, middle));
      start = middle;
    }
  }
  return parts.reverse();
};

/** The same for a proof that one log begins another. @throws ProtocolError */
export const consistencyNodes = (older: number, newer: number): readonly (readonly NodeRef[])[] => {
  checkSizes(older, newer, false);
  if (older === 0 || older === newer) return [];
  const parts: (readonly NodeRef[])[] = [];
  let start = 0;
  let end = newer;
  while (older !== end) {
    const middle = start + splitOf(end - start);
    if (older <= middle) {
      parts.push(nodesBetween(middle, end));
      end = middle;
    } else {
      parts.push(nodesBetween(start, middle));
      start = middle;
    }
  }
  // The verifier knows the older root already.
  return (start === 0 ? parts : [...parts, nodesBetween(start, end)]).reverse();
};

/** A proof from the nodes it needs. @param hashAt gives the hash of a complete subtree */
export const buildProof = (parts: readonly (readonly NodeRef[])[], hashAt: (node: NodeRef) => Hash): readonly Hash[] =>
  parts.map((nodes) => foldHashes(nodes.map(hashAt)));

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);

/** Whether the leaf is the `index`-th of the log with this size and root (§2.1.3.2). */
export const verifyInclusion = (
  leaf: Hash,
  index: number,
  size: number,
  proof: readonly Hash[],
  root: Hash,
): boolean => {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const step of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHash(step, hash);
      while (!isOdd(at) && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else {
      hash = nodeHash(hash, step);
    }
    at = half(at);
    last = half(last);
  }
  return last === 0 && isSameHash(hash, root);
};

/** Whether the log with the older size and root is the beginning of the newer one (§2.1.4.2). */
export const verifyConsistency = (
  older: number,
  newer: number,
  proof: readonly Hash[],
  olderRoot: Hash,
  newerRoot: Hash,
): boolean => {
  if (!Number.isSafeInteger(older) || !Number.isSafeInteger(newer) || older < 0 || older > newer) return false;
  if (older === newer) return proof.length === 0 && isSameHash(olderRoot, newerRoot);
  if (older === 0) return proof.length === 0 && isSameHash(olderRoot, foldHashes([]));
  const isPowerOfTwo = Number.isInteger(Math.log2(older));
  const [first, ...rest] = isPowerOfTwo ? [olderRoot, ...proof] : proof;
  if (first === undefined) return false;
  let at = older - 1;
  let last = newer - 1;
  while (isOdd(at)) {
    at = half(at);
    last = half(last);
  }
  let olderHash = first;
  let newerHash = first;
  for (const step of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      olderHash = nodeHash(step, olderHash);
      newerHash = nodeHash(step, newerHash);
      while (!isOdd(at) && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else {
      newerHash = nodeHash(newerHash, step);
    }
    at = half(at);
    last = half(last);
  }
  return last === 0 && isSameHash(olderHash, olderRoot) && isSameHash(newerHash, newerRoot);
};
