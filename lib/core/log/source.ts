/**
 * The source of an export: the log and its records, page by page. `buildTableSource` reads the
 * table itself, and the console's API answers from it; the command line has the same over HTTP.
 */

import { defined } from '../base/defined.ts';
import { StoredItemError } from '../base/errors.ts';
import { originOf } from '../evidence/checkpoint.ts';
import { parseTilePath } from '../evidence/tiles.ts';
import type { GateSetContent } from '../gates/engine/gate-set-content.ts';
import { parseRecord } from '../ledger/ledger.ts';
import { buildReader } from '../memory/read.ts';
import { indexPartitions, logKeys, signalKeys } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Table } from '../store/table.ts';
import { LOG_BATCH_COMMITS_MAX, LOG_READS_AT_ONCE, loadSignalRecords } from './collect.ts';
import { fixCommit, tombstonesOf } from './due-leaves.ts';
import { buildSignalRecords, type LooseRecord } from './evidence-records.ts';
import { loadLogProblem } from './log-problem.ts';
import { loadCheckpoints, loadGateCode, loadGateSets, loadKeys, loadLogHead, loadTile } from './read-log.ts';
import { StoredForgotten } from './stored.ts';

export interface LogStanding {
  readonly space: string;
  readonly origin: string;
  /** All leaves, and those that the newest checkpoint covers. */
  readonly leaves: number;
  readonly size: number;
  /** A signal is under way, or ended and has no leaf yet. */
  readonly isWaiting: boolean;
  /** Why the writer cannot write. */
  readonly problem?: string | undefined;
  /** The stack's clock, epoch milliseconds. */
  readonly now: number;
}

export interface SignalEvidence {
  readonly id: string;
  readonly records: readonly LooseRecord[];
  readonly problem?: string;
}

interface RecordsPage {
  readonly signals: readonly SignalEvidence[];
  readonly cursor?: string | undefined;
}

export interface CommitsPage {
  readonly records: readonly LooseRecord[];
  /** Number of the last commit. */
  readonly last: number;
  readonly isAll: boolean;
}

export interface LogSource {
  readonly standing: () => Promise<LogStanding>;
  readonly checkpoints: (after: number) => Promise<readonly { readonly size: number; readonly note: string }[]>;
  readonly keys: () => Promise<readonly string[]>;
  /** All gate sets that were stored. */
  readonly gateSets: () => Promise<readonly GateSetContent[]>;
  /** The code of a skill's gate, by its hash; undefined if it is not there. */
  readonly gateCode: (sha256: string) => Promise<string | undefined>;
  /** By its path; undefined if the log does not have it, or it cannot be read. */
  readonly tile: (path: string) => Promise<Uint8Array | undefined>;
  /** Signals in the order they were accepted, those accepted at `from` or later. */
  readonly records: (page: { readonly cursor?: string | undefined; readonly limit: number }) => Promise<RecordsPage>;
  readonly signalRecords: (id: string) => Promise<SignalEvidence>;
  /** One page of commits after a number, with the tombstones that are theirs. */
  readonly commits: (after: number) => Promise<CommitsPage>;
}

type SourceTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

const idOf = (pk: string, space: string): string => pk.slice(`signal#${space}#`.length);

const loadEvidence = async (table: SourceTable, space: string, id: string): Promise<SignalEvidence> => {
  try {
    const item = await loadItem(table, signalKeys.record(space, id));
    if (item === undefined) return { id, records: [], problem: 'there is no such signal' };
    const { records } = await loadSignalRecords(table, parseRecord(id, item));
    return { id, records: buildSignalRecords(records) };
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    return { id, records: [], problem: error.message };
  }
};

const loadCommitRecords = async (
  table: Pick<Table, 'load' | 'query'>,
  space: string,
  after: number,
): Promise<CommitsPage> => {
  const reader = buildReader(table, space);
  const { number } = await reader.loadHead();
  const commits = await reader.loadRecords(after + 1, Math.min(number, after + LOG_BATCH_COMMITS_MAX));
  const named = commits.flatMap((commit) => tombstonesOf(commit).map(({ object }) => ({ commit, object })));
  const items = await table.load(
    named.map(({ object }) => logKeys.forgotten(space, object)),
    { isConsistent: true },
  );
  const tombstones = named.flatMap(({ commit, object }, at): readonly { of: number; record: LooseRecord }[] => {
    const item = items[at];
    const stored = item === undefined ? undefined : parseStored(item, StoredForgotten);
    if (stored === undefined || stored.commit !== commit.number) return [];
    return [{ of: commit.number, record: { kind: 'tombstone', id: object, fixed: stored.fixed } }];
  });
  const records = commits.flatMap((commit): readonly LooseRecord[] => [
    { kind: 'commit', id: String(commit.number), fixed: fixCommit(commit) },
    ...tombstones.filter(({ of }) => of === commit.number).map(({ record }) => record),
  ]);
  const last = commits.at(-1)?.number ?? after;
  return { records, last, isAll: last >= number };
};

export const buildTableSource = (table: SourceTable, space: string, now: () => number): LogSource => ({
  standing: async () => {
    // The time before the log is read: every change until then has its leaf within the merge delay.
    const at = now();
    const partition = indexPartitions.unfinishedSignals(space);
    const [head, open, problem] = await Promise.all([
      loadLogHead(table, space),
      table.queryIndex({ index: 'unfinished', partition, limit: 1 }),
      loadLogProblem(table, space),
    ]);
    const [leaves, size] = [head?.size ?? 0, head?.checkpointSize ?? 0];
    return {
      ...{ space, origin: originOf(space), leaves, size, isWaiting: open.items.length > 0, now: at },
      ...defined({ problem }),
    };
  },
  checkpoints: (after) => loadCheckpoints(table, space, after),
  keys: () => loadKeys(table, space),
  gateSets: () => loadGateSets(table, space),
  gateCode: (sha256) => loadGateCode(table, space, sha256),
  tile: async (path) => {
    const ref = parseTilePath(path);
    if (ref === undefined) return undefined;
    try {
      return await loadTile(table, space, ref);
    } catch (error) {
      if (error instanceof StoredItemError) return undefined;
      throw error;
    }
  },
  records: async ({ cursor, limit }) => {
    const partition = indexPartitions.feed(space);
    const page = await table.queryIndex({ index: 'feed', partition, limit, cursor });
    const ids = page.items.map(({ pk }) => idOf(String(pk), space));
    const signals: SignalEvidence[] = [];
    for (let first = 0; first < ids.length; first += LOG_READS_AT_ONCE) {
      const some = ids.slice(first, first + LOG_READS_AT_ONCE).map((id) => loadEvidence(table, space, id));
      signals.push(...(await Promise.all(some)));
    }
    return { signals, cursor: page.cursor };
  },
  signalRecords: (id) => loadEvidence(table, space, id),
  commits: (after) => loadCommitRecords(table, space, after),
});
