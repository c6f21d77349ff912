/**
 * Reads the commits that have no leaf yet, in order, and what they forgot. Each forgotten object's tombstone is written before its
 * leaf, by itself, because a commit may forget thousands: writing it again changes nothing, and only one that an earlier
 * commit wrote says that the object has its leaf. It gets another where that commit's covers less than is gone by now.
 */

import * as z from 'zod/mini';
import { defined } from '../base/defined.ts';
import { ConditionError } from '../base/errors.ts';
import type { FixedTombstone } from '../evidence/record-hash.ts';
import { parseStored } from '../ledger/record.ts';
import type { CommitRecord } from '../memory/commit.ts';
import { coversKey } from '../memory/keys.ts';
import { buildReader } from '../memory/read.ts';
import { absent, anyOf, atLeast } from '../store/condition.ts';
import { logKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { NewLeaf } from './append.ts';
import { leafOfCommit, leafOfTombstone, tombstonesOf } from './due-leaves.ts';
import { LOG_BATCH_COMMITS_MAX, LOG_READS_AT_ONCE } from './limits.ts';
import { parseLogItem, StoredForgotten } from './stored.ts';
import type { KeptTombstone } from './tombstone.ts';

const LOG_BATCH_TOMBSTONES_MAX = 1_000;

export interface Commits {
  readonly leaves: readonly NewLeaf[];
  /** Of objects these commits forgot. */
  readonly tombstones: readonly KeptTombstone[];
  /** Number of the last one. */
  readonly last: number;
  /** There are no more. */
  readonly isAll: boolean;
}

interface Named {
  readonly commit: CommitRecord;
  readonly fixed: FixedTombstone;
  readonly asked?: readonly string[];
  /** The commit whose tombstone of the object this one follows: more lost its content since. */
  readonly follows?: number;
}

/** As many commits as one batch takes, the first in any case. */
const takeCommits = (commits: readonly CommitRecord[]): readonly CommitRecord[] => {
  let objects = 0;
  const isWithin = (commit: CommitRecord, at: number): boolean => {
    objects += tombstonesOf(commit).length;
    return at === 0 || objects <= LOG_BATCH_TOMBSTONES_MAX;
  };
  const end = commits.findIndex((commit, at) => !isWithin(commit, at));
  return end < 0 ? commits : commits.slice(0, end);
};

/** Those whose object was not forgotten by an earlier commit, or of which more is gone since that one's tombstone. */
const freshOnes = async (table: Pick<Table, 'load'>, space: string, named: readonly Named[]) => {
  const keys = named.map(({ fixed }) => logKeys.forgotten(space, fixed.object));
  const stored = await table.load(keys, { isConsistent: true });
  const seen = new Set<string>();
  return named.flatMap((one, at): readonly Named[] => {
    const { commit, fixed } = one;
    const item = stored[at];
    const earlier = item === undefined ? undefined : parseLogItem(item, StoredForgotten);
    if (seen.has(fixed.object)) return [];
    seen.add(fixed.object);
    if (earlier === undefined || earlier.commit >= commit.number) return [one];
    return earlier.fixed.covers.length < fixed.covers.length ? [{ ...one, follows: earlier.commit }] : [];
  });
};

const Covers = z.object({
  schemaVersion: z.literal(1),
  covers: z.array(z.string()),
  asked: z.optional(z.array(z.string())),
});

/** Forgetting noted which records lost their content with the object, before it erased them. */
const withCovers = async (
  table: Pick<Table, 'load'>,
  space: string,
  named: readonly Named[],
): Promise<readonly Named[]> => {
  const keys = named.map(({ fixed }) => coversKey(space, fixed.object));
  const items = await table.load(keys, { isConsistent: true });
  return named.map((one, at) => {
    const item = items[at];
    if (item === undefined) return one;
    const { covers, asked } = parseStored(`covers of ${one.fixed.object}`, item, Covers);
    return { ...one, fixed: { ...one.fixed, covers }, ...defined({ asked }) };
  });
};

const saveTombstones = async (table: Pick<Table, 'put'>, space: string, named: readonly Named[]): Promise<void> => {
  const save = ({ commit, fixed, follows = commit.number }: Named): Promise<void> =>
    table
      .put(
        logKeys.forgotten(space, fixed.object),
        { schemaVersion: 1, commit: commit.number, fixed: { ...fixed, covers: [...fixed.covers] } },
        { name: 'no earlier commit forgot it', holds: anyOf(absent('pk'), atLeast('commit', follows)) },
      )
      .catch((error: unknown) => {
        if (!(error instanceof ConditionError)) throw error;
      });
  for (let first = 0; first < named.length; first += LOG_READS_AT_ONCE)
    await Promise.all(named.slice(first, first + LOG_READS_AT_ONCE).map(save));
};

const keptOf = ({ fixed, asked }: Named): KeptTombstone => ({
  ...fixed,
  covers: [...fixed.covers],
  ...(asked === undefined ? {} : { asked: [...asked] }),
});

export const collectCommits = async (
  table: Pick<Table, 'load' | 'query' | 'put'>,
  space: string,
  after: number,
): Promise<Commits> => {
  const reader = buildReader(table, space);
  const { number } = await reader.loadHead();
  const taken = takeCommits(await reader.loadRecords(after + 1, Math.min(number, after + LOG_BATCH_COMMITS_MAX)));
  const named = taken.flatMap((commit) => tombstonesOf(commit).map((fixed): Named => ({ commit, fixed })));
  const fresh = await freshOnes(table, space, await withCovers(table, space, named));
  await saveTombstones(table, space, fresh);
  const leaves = taken.flatMap((commit): readonly NewLeaf[] => [
    { leaf: leafOfCommit(space, commit) },
    ...fresh
      .filter((one) => one.commit === commit)
      .map(({ fixed }) => ({ leaf: leafOfTombstone(space, fixed, commit.actor) })),
  ]);
  const last = taken.at(-1)?.number ?? after;
  return { leaves, tombstones: fresh.map(keptOf), last, isAll: last >= number };
};
