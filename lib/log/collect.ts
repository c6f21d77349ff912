/**
 * Reads what may be due for the log: a page of the index of unfinished signals, each with its records and the leaves they have.
 * The record that stands in the index is read first, so that an end that comes in between is seen by its counter. A signal
 * that cannot be read is reported and left where it is; it holds up nobody else.
 */
import { type Approval, Approval as ApprovalSchema } from '../approvals/approval.ts';
import { StoredItemError } from '../base/errors.ts';
import { loadPartition, parseDecision, parseEffect, parseRecord } from '../ledger/ledger.ts';
import { parseStored, type SignalRecord } from '../ledger/record.ts';
import { Attempt } from '../signal/decision.ts';
import { isFinal } from '../signal/signal.ts';
import { approvalKey, indexPartitions } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import type { SignalRecords } from './due-leaves.ts';
import { LOG_READS_AT_ONCE } from './limits.ts';
import { Marks, parseLogItem } from './stored.ts';

/** Signals of one batch: their marks, with the head, chunks and tiles, fit a transaction of 100 items. */
const LOG_BATCH_SIGNALS_MAX = 48;

type ReadTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

/** A signal's evidence, with the leaves it has. */
export interface Collected {
  readonly record: SignalRecord;
  readonly records: SignalRecords;
  readonly marks: Marks['leaves'];
}

const parseAttempt = (id: string, { pk: _pk, sk: _sk, ...rest }: Item): Attempt =>
  parseStored(`attempt of ${id}`, rest, Attempt);

const loadApprovals = async (
  table: Pick<Table, 'load'>,
  space: string,
  ids: readonly string[],
): Promise<readonly Approval[]> => {
  const items = await table.load(
    ids.map((id) => approvalKey(space, id)),
    { isConsistent: true },
  );
  return items.flatMap((item) => (item === undefined ? [] : [parseStored('approval', item, ApprovalSchema)]));
};

/** Everything about one signal that is evidence. @throws StoredItemError */
export const loadSignalRecords = async (table: ReadTable, record: SignalRecord): Promise<Collected> => {
  const { signal } = record;
  const items = await loadPartition(table, signal.space, signal.id);
  const starting = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const [decision] = starting('decision').map((item) => parseDecision(signal.id, item));
  const effects = starting('effect#').map((item) => parseEffect(signal.id, item));
  const [marks] = items.filter(({ sk }) => sk === 'log').map((item) => parseLogItem(item, Marks));
  const named = effects.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  const approvals = await loadApprovals(table, signal.space, [...new Set(named)]);
  const attempts = starting('attempt#').map((item) => parseAttempt(signal.id, item));
  return {
    record,
    records: {
      signal,
      decision,
      attempts: attempts.sort((a, b) => a.n - b.n),
      effects: effects.sort((a, b) => a.n - b.n),
      approvals,
    },
    marks: marks?.leaves ?? {},
  };
};

export interface CollectedPage {
  readonly signals: readonly Collected[];
  /** Ids of those that cannot be read, with what is wrong. */
  readonly unreadable: readonly string[];
  readonly cursor: string | undefined;
}

const reading = async <T>(work: () => Promise<T> | T, unreadable: string[]): Promise<readonly T[]> => {
  try {
    return [await work()];
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    unreadable.push(error.message);
    return [];
  }
};

/** One page of the signals that are under way, or have ended and wait for the log. */
export const collectPage = (table: ReadTable, space: string, cursor: string | undefined): Promise<CollectedPage> =>
  collectFrom(table, { index: 'unfinished', partition: indexPartitions.unfinishedSignals(space), cursor });

/**
 * One page of all signals there ever were, oldest first: those that have ended, do not wait for the log, and of which it has nothing.
 * One it has something of is the verifier's to compare, not ours to log anew.
 */
export const collectOldPage = async (
  table: ReadTable,
  space: string,
  cursor: string | undefined,
): Promise<CollectedPage> => {
  const page = await collectFrom(table, { index: 'feed', partition: indexPartitions.feed(space), cursor });
  const isLeftOut = ({ record, marks }: Collected): boolean =>
    record.unfinishedSpace === undefined && isFinal(record.state) && Object.keys(marks).length === 0;
  return { ...page, signals: page.signals.filter(isLeftOut) };
};

const collectFrom = async (
  table: ReadTable,
  query: { readonly index: 'unfinished' | 'feed'; readonly partition: string; readonly cursor: string | undefined },
): Promise<CollectedPage> => {
  const page = await table.queryIndex({ ...query, limit: LOG_BATCH_SIGNALS_MAX });
  const keys = page.items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  const items = await table.load(keys, { isConsistent: true });
  const unreadable: string[] = [];
  const signals: Collected[] = [];
  const found = items.flatMap((item) => (item === undefined ? [] : [item]));
  for (let first = 0; first < found.length; first += LOG_READS_AT_ONCE) {
    const some = found
      .slice(first, first + LOG_READS_AT_ONCE)
      .map((item) => reading(() => loadSignalRecords(table, parseRecord(String(item.pk), item)), unreadable));
    for (const read of await Promise.all(some)) signals.push(...read);
  }
  return { signals, unreadable, cursor: page.cursor };
};
