/**
 * The tree of RFC 9162 by its recursive definitions: slow, and written apart from what it is
 * compared with.
 */
import { createHash } from 'node:crypto';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const splitAt = (count: number): number => {
  let width = 1;
  while (width * 2 < count) width *= 2;
  return width;
};

/** MTH of §2.1.1. */
export const definedRoot = (entries: readonly Uint8Array[]): Buffer => {
  const [first] = entries;
  if (first === undefined) return sha256();
  if (entries.length === 1) return sha256(Buffer.from([0]), first);
  const k = splitAt(entries.length);
  return sha256(Buffer.from([1]), definedRoot(entries.slice(0, k)), definedRoot(entries.slice(k)));
};

/** PATH of §2.1.3.1. */
export const definedPath = (index: number, entries: readonly Uint8Array[]): readonly Buffer[] => {
  if (entries.length === 1) return [];
  const k = splitAt(entries.length);
  return index < k
    ? [...definedPath(index, entries.slice(0, k)), definedRoot(entries.slice(k))]
    : [...definedPath(index - k, entries.slice(k)), definedRoot(entries.slice(0, k))];
};

const subproof = (older: number, entries: readonly Uint8Array[], isWhole: boolean): readonly Buffer[] => {
  if (older === entries.length) return isWhole ? [] : [definedRoot(entries)];
  const k = splitAt(entries.length);
  return older <= k
    ? [...subproof(older, entries.slice(0, k), isWhole), definedRoot(entries.slice(k))]
    : [...subproof(older - k, entries.slice(k), false), definedRoot(entries.slice(0, k))];
};

/** PROOF of §2.1.4.1. */
export const definedConsistency = (older: number, entries: readonly Uint8Array[]): readonly Buffer[] =>
  subproof(older, entries, true);

/** The n-th of entries that are all different. */
export const entryOf = (n: number): Buffer => Buffer.from(`entry ${n}`);
export const entriesOf = (count: number): readonly Buffer[] => Array.from({ length: count }, (_, n) => entryOf(n));

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
