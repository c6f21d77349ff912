/**
 * Reads everything that may be due for the log: pages of signals with their records and leaves, and
 * the commits that have no leaf yet, with the tombstones of what they forgot. A signal that cannot
 * be read is reported and left out; it holds up nobody else.
 */

import * as z from 'zod/mini';
import { EVIDENCE_ROWS } from '../../features/evidence-rows.ts';
import { Approval } from '../approvals/approval.ts';
import { defined } from '../base/defined.ts';
import { StoredItemError } from '../base/errors.ts';
import { envelopeHash, type FixedTombstone } from '../evidence/record-hash.ts';
import { loadPartition, parseAttempt, parseDecision, parseEffect, parseRecord } from '../ledger/ledger.ts';
import type { SignalRecord } from '../ledger/record.ts';
import type { CommitRecord } from '../memory/commit.ts';
import { coversKey } from '../memory/keys.ts';
import { buildReader } from '../memory/read.ts';
import { absent, anyOf, atLeast } from '../store/condition.ts';
import { approvalKey, indexPartitions, logKeys } from '../store/keys.ts';
import { loadIndexed } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { FullReadTable, Item, Table } from '../store/table.ts';
import { wasWritten } from '../store/update-if.ts';
import type { NewLeaf } from './append.ts';
import { leafOfCommit, leafOfTombstone, type SignalRecords, tombstonesOf } from './due-leaves.ts';
import { Marks, StoredForgotten } from './stored.ts';
import type { KeptTombstone } from './tombstone.ts';

/** Commits of one batch, and tombstones, unless one commit alone has more. */
export const LOG_BATCH_COMMITS_MAX = 256;
const LOG_BATCH_TOMBSTONES_MAX = 1_000;
/** Signals read at once: enough to hide the time of one request. */
export const LOG_READS_AT_ONCE = 16;
/** With head, chunks and tiles, the marks of so many signals fit a transaction of 100 items. */
const LOG_BATCH_SIGNALS_MAX = 48;

export interface CollectedSignal {
  readonly record: SignalRecord;
  readonly records: SignalRecords;
  readonly marks: Marks['leaves'];
}

const loadApprovals = async (
  table: Pick<Table, 'load'>,
  space: string,
  ids: readonly string[],
): Promise<readonly Approval[]> => {
  const items = await table.load(
    ids.map((id) => approvalKey(space, id)),
    { isConsistent: true },
  );
  return items.flatMap((item) => (item === undefined ? [] : [parseStored(item, Approval, 'approval')]));
};

/** @throws StoredItemError */
const asStoredText = (record: Item | undefined, id: string): string => {
  if (typeof record?.signal === 'string') return record.signal;
  throw new StoredItemError(`signal ${id}`, 'its record is not there');
};

/** All evidence of one signal. @throws StoredItemError */
export const loadSignalRecords = async (table: FullReadTable, record: SignalRecord): Promise<CollectedSignal> => {
  const { signal } = record;
  const items = await loadPartition(table, signal.space, signal.id);
  const starting = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const [stored] = starting('record');
  const [decision] = starting('decision').map((item) => parseDecision(signal.id, item));
  const effects = starting('effect#').map((item) => parseEffect(signal.id, item));
  const [marks] = items.filter(({ sk }) => sk === 'log').map((item) => parseStored(item, Marks));
  const named = effects.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  const approvals = await loadApprovals(table, signal.space, [...new Set(named)]);
  const attempts = starting('attempt#').map((item) => parseAttempt(signal.id, item));
  return {
    record,
    records: {
      signal,
      // An album or a correction may have changed the words since the index was read.
      envelope: envelopeHash(asStoredText(stored, signal.id)),
      decision,
      attempts: attempts.sort((a, b) => a.n - b.n),
      effects: effects.sort((a, b) => a.n - b.n),
      approvals,
      rows: EVIDENCE_ROWS.flatMap(({ prefix, isFirst, read }) =>
        starting(prefix).map((row) => ({ ...read(row, signal.id), isFirst })),
      ),
    },
    marks: marks?.leaves ?? {},
  };
};

interface CollectedPage {
  readonly signals: readonly CollectedSignal[];
  /** Signals that cannot be read, each with the problem. */
  readonly unreadable: readonly string[];
  readonly cursor: string | undefined;
}

/** One page of the signals that are under way, or ended and wait for the log. */
export const collectPage = async (
  table: FullReadTable,
  space: string,
  cursor: string | undefined,
): Promise<CollectedPage> => {
  const partition = indexPartitions.unfinishedSignals(space);
  const page = await loadIndexed(table, { index: 'unfinished', partition, cursor, limit: LOG_BATCH_SIGNALS_MAX });
  const unreadable: string[] = [];
  const load = async (item: Item): Promise<readonly CollectedSignal[]> => {
    try {
      // The record from the index is read first: an end that comes in between shows in its counter.
      return [await loadSignalRecords(table, parseRecord(String(item.pk), item))];
    } catch (error) {
      if (!(error instanceof StoredItemError)) throw error;
      unreadable.push(error.message);
      return [];
    }
  };
  const signals: CollectedSignal[] = [];
  for (let first = 0; first < page.items.length; first += LOG_READS_AT_ONCE)
    signals.push(...(await Promise.all(page.items.slice(first, first + LOG_READS_AT_ONCE).map(load))).flat());
  return { signals, unreadable, cursor: page.cursor };
};

export interface Commits {
  readonly leaves: readonly NewLeaf[];
  /** Tombstones of the objects that these commits forgot. */
  readonly tombstones: readonly KeptTombstone[];
  /** Number of the last one. */
  readonly last: number;
  /** There are no more. */
  readonly isAll: boolean;
}

interface Forgotten {
  readonly commit: CommitRecord;
  readonly fixed: FixedTombstone;
  readonly asked?: readonly string[];
  /** The commit of an earlier tombstone that covers less than is erased by now. */
  readonly follows?: number;
}

/** As many commits as one batch takes, and always the first. */
const takeCommits = (commits: readonly CommitRecord[]): readonly CommitRecord[] => {
  let objects = 0;
  const isWithin = (commit: CommitRecord, at: number): boolean => {
    objects += tombstonesOf(commit).length;
    return at === 0 || objects <= LOG_BATCH_TOMBSTONES_MAX;
  };
  const end = commits.findIndex((commit, at) => !isWithin(commit, at));
  return end < 0 ? commits : commits.slice(0, end);
};

/** Drops objects that an earlier commit forgot, unless more is erased since its tombstone. */
const dropKnown = async (table: Pick<Table, 'load'>, space: string, forgotten: readonly Forgotten[]) => {
  const keys = forgotten.map(({ fixed }) => logKeys.forgotten(space, fixed.object));
  const stored = await table.load(keys, { isConsistent: true });
  const seen = new Set<string>();
  return forgotten.flatMap((one, at): readonly Forgotten[] => {
    const { commit, fixed } = one;
    const item = stored[at];
    const earlier = item === undefined ? undefined : parseStored(item, StoredForgotten);
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

/** Adds the records that lost their content with each object, as forgetting noted them. */
const withCovers = async (
  table: Pick<Table, 'load'>,
  space: string,
  forgotten: readonly Forgotten[],
): Promise<readonly Forgotten[]> => {
  const keys = forgotten.map(({ fixed }) => coversKey(space, fixed.object));
  const items = await table.load(keys, { isConsistent: true });
  return forgotten.map((one, at) => {
    const item = items[at];
    if (item === undefined) return one;
    const { covers, asked } = parseStored(item, Covers, `covers of ${one.fixed.object}`);
    return { ...one, fixed: { ...one.fixed, covers }, ...defined({ asked }) };
  });
};

/** Before their leaves, outside the transaction: a commit may forget thousands. */
const saveTombstones = async (
  table: Pick<Table, 'put'>,
  space: string,
  forgotten: readonly Forgotten[],
): Promise<void> => {
  const save = ({ commit, fixed, follows = commit.number }: Forgotten): Promise<boolean> =>
    wasWritten(
      table.put(
        logKeys.forgotten(space, fixed.object),
        { schemaVersion: 1, commit: commit.number, fixed: { ...fixed, covers: [...fixed.covers] } },
        { name: 'no earlier commit forgot it', holds: anyOf(absent('pk'), atLeast('commit', follows)) },
      ),
    );
  for (let first = 0; first < forgotten.length; first += LOG_READS_AT_ONCE)
    await Promise.all(forgotten.slice(first, first + LOG_READS_AT_ONCE).map(save));
};

const buildKeptTombstone = ({ fixed, asked }: Forgotten): KeptTombstone => ({
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
  const forgotten = taken.flatMap((commit) => tombstonesOf(commit).map((fixed): Forgotten => ({ commit, fixed })));
  const fresh = await dropKnown(table, space, await withCovers(table, space, forgotten));
  await saveTombstones(table, space, fresh);
  const leaves = taken.flatMap((commit): readonly NewLeaf[] => [
    { leaf: leafOfCommit(space, commit) },
    ...fresh
      .filter((one) => one.commit === commit)
      .map(({ fixed }) => ({ leaf: leafOfTombstone(space, fixed, commit.actor) })),
  ]);
  const last = taken.at(-1)?.number ?? after;
  return { leaves, tombstones: fresh.map(buildKeptTombstone), last, isAll: last >= number };
};
