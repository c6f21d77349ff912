/**
 * What an export is made from: the log and its records, page by page. The console's API is one over HTTP; `buildTableSource` is the
 * same over the table itself, which is what the API answers with.
 */

import { StoredItemError } from '../base/errors.ts';
import { originOf } from '../evidence/checkpoint.ts';
import { parseTilePath } from '../evidence/tiles.ts';
import { parseRecord } from '../ledger/ledger.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { loadSignalRecords } from './collect.ts';
import type { GateSetContent } from './gate-set-content.ts';
import { LOG_READS_AT_ONCE } from './limits.ts';
import { loadCheckpoints, loadGateSets, loadKeys, loadLogHead, loadTile } from './read-log.ts';
import { type LooseRecord, loadCommitRecords, recordsOfSignal } from './records.ts';

/** Where the log stands. */
export interface LogStanding {
  readonly space: string;
  readonly origin: string;
  /** Leaves, and those of them the newest checkpoint covers. */
  readonly leaves: number;
  readonly size: number;
  /** Something is under way, or has ended and has no leaf yet. */
  readonly isWaiting: boolean;
  /** Of the stack's clock, epoch milliseconds. */
  readonly now: number;
}

export interface SignalEvidence {
  readonly id: string;
  readonly records: readonly LooseRecord[];
  /** Why there are none. */
  readonly problem?: string;
}

export interface RecordsPage {
  readonly signals: readonly SignalEvidence[];
  readonly cursor?: string | undefined;
}

export interface LogSource {
  readonly standing: () => Promise<LogStanding>;
  readonly checkpoints: (after: number) => Promise<readonly { readonly size: number; readonly note: string }[]>;
  readonly keys: () => Promise<readonly string[]>;
  /** Those the log's writer kept. */
  readonly gateSets: () => Promise<readonly GateSetContent[]>;
  /** By its path; undefined where the log does not have it, or it cannot be read. */
  readonly tile: (path: string) => Promise<Uint8Array | undefined>;
  /** Signals in the order they were accepted, those accepted at `from` or later. */
  readonly records: (page: { readonly cursor?: string | undefined; readonly limit: number }) => Promise<RecordsPage>;
  readonly signalRecords: (id: string) => Promise<SignalEvidence>;
  readonly commits: (after: number) => Promise<{
    readonly records: readonly LooseRecord[];
    readonly last: number;
    readonly isAll: boolean;
  }>;
}

type SourceTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

const idOf = (pk: string, space: string): string => pk.slice(`signal#${space}#`.length);

const loadEvidence = async (table: SourceTable, space: string, id: string): Promise<SignalEvidence> => {
  try {
    const item = await loadItem(table, { pk: `signal#${space}#${id}`, sk: 'record' });
    if (item === undefined) return { id, records: [], problem: 'there is no such signal' };
    const { records } = await loadSignalRecords(table, parseRecord(id, item));
    return { id, records: recordsOfSignal(records) };
  } catch (error) {
    if (!(error instanceof StoredItemError)) throw error;
    return { id, records: [], problem: error.message };
  }
};

export const buildTableSource = (table: SourceTable, space: string, now: () => number): LogSource => ({
  standing: async () => {
    // Before the log is looked at: what changed until then is in it within the merge delay.
    const at = now();
    const partition = indexPartitions.unfinishedSignals(space);
    const [head, open] = await Promise.all([
      loadLogHead(table, space),
      table.queryIndex({ index: 'unfinished', partition, limit: 1 }),
    ]);
    const [leaves, size] = [head?.size ?? 0, head?.checkpointSize ?? 0];
    return { space, origin: originOf(space), leaves, size, isWaiting: open.items.length > 0, now: at };
  },
  checkpoints: (after) => loadCheckpoints(table, space, after),
  keys: () => loadKeys(table, space),
  gateSets: () => loadGateSets(table, space),
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
