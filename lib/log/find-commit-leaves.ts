/**
 * Finds the leaves of commits of memory, for a person who follows an object through its versions to
 * the proof. Leaves of commits stand in the order of their numbers, so they are found by halving
 * over bundles of entries. After a bound of bundles a commit is only known to be in the log. Reads
 * only.
 */

import { ProtocolError, StoredItemError } from '../base/errors.ts';
import { parseLeafBytes } from '../evidence/leaf.ts';
import { parseEntryBundle, TILE_WIDTH } from '../evidence/tiles.ts';
import type { Table } from '../store/table.ts';
import { loadLogHead, loadTile } from './read-log.ts';

/** Bundles of 256 entries that are read: half a second of a small function. */
const AUDIT_BUNDLES_MAX = 32;

type ReadTable = Pick<Table, 'load' | 'query'>;

/** The places of commits in the log. */
export interface LogPlaces {
  /** All leaves. */
  readonly size: number;
  /** Leaves the newest checkpoint signs. */
  readonly checkpointSize: number;
  /** Commits up to this one are in the log. */
  readonly lastCommit: number;
  /** The leaf of each commit that was found, counted from 0. */
  readonly leaves: ReadonlyMap<number, number>;
  /** Why the log cannot be read. */
  readonly problem?: string;
}

/** Commits of one bundle with their leaves, in order. */
type Bundle = readonly { readonly commit: number; readonly leaf: number }[];

const buildLoadBundle = (table: ReadTable, space: string, size: number) => {
  const loaded = new Map<number, Bundle>();
  /** @returns undefined after enough bundles */
  return async (index: number): Promise<Bundle | undefined> => {
    const known = loaded.get(index);
    if (known !== undefined) return known;
    if (loaded.size >= AUDIT_BUNDLES_MAX) return undefined;
    const first = index * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, size - first);
    const bytes = await loadTile(table, space, { level: 'entries', index, width });
    if (bytes === undefined) throw new StoredItemError('the log', `entries from ${first} on are missing`);
    const bundle = parseEntryBundle(bytes, width)
      .map(parseLeafBytes)
      .flatMap(({ kind, id }, at) => (kind === 'commit' ? [{ commit: Number(id), leaf: first + at }] : []));
    loaded.set(index, bundle);
    return bundle;
  };
};

const findLeaf = async (
  commit: number,
  size: number,
  loadBundle: (index: number) => Promise<Bundle | undefined>,
): Promise<number | undefined> => {
  let [low, high] = [0, Math.ceil(size / TILE_WIDTH) - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    // A bundle without a commit tells no direction; the next one that has a commit does.
    let at = middle;
    let bundle = await loadBundle(at);
    while (bundle?.length === 0 && at < high) {
      at += 1;
      bundle = await loadBundle(at);
    }
    if (bundle === undefined) return undefined;
    const [first, last] = [bundle[0], bundle.at(-1)];
    if (first === undefined || last === undefined || commit < first.commit) high = middle - 1;
    else if (commit > last.commit) low = at + 1;
    else return bundle.find((one) => one.commit === commit)?.leaf;
  }
  return undefined;
};

/** @param commits numbers; those that are not in the log are left out. @throws UnavailableError */
export const findCommitLeaves = async (
  table: ReadTable,
  space: string,
  commits: readonly number[],
): Promise<LogPlaces> => {
  const leaves = new Map<number, number>();
  let standing = { size: 0, checkpointSize: 0, lastCommit: 0 };
  try {
    const head = await loadLogHead(table, space);
    if (head === undefined) return { ...standing, leaves };
    standing = { size: head.size, checkpointSize: head.checkpointSize, lastCommit: head.lastCommit };
    const loadBundle = buildLoadBundle(table, space, head.size);
    // Newest first: people ask about those.
    const wanted = [...new Set(commits)].filter((commit) => commit > 0 && commit <= head.lastCommit);
    for (const commit of wanted.sort((a, b) => b - a)) {
      const leaf = await findLeaf(commit, head.size, loadBundle);
      if (leaf !== undefined) leaves.set(commit, leaf);
    }
    return { ...standing, leaves };
  } catch (error) {
    if (!(error instanceof StoredItemError) && !(error instanceof ProtocolError)) throw error;
    return { ...standing, leaves, problem: error.message };
  }
};
