/**
 * What is wrong with the stack, in plain clauses: read from the table by `/status`, `/health` and
 * all that ask it, so that they agree. No clause quotes a secret or a message.
 */
import { MINUTE_MS } from '../../base/limits.ts';
import { describeBehind } from '../../jobs/read-jobs.ts';
import { SignalRecord } from '../../ledger/record.ts';
import { describeWaitingTexts } from '../../ledger/waiting-texts.ts';
import { describeAway, describeRefusals } from '../../llm/provider-health.ts';
import { loadLogProblem } from '../../log/log-problem.ts';
import { isEmbeddingRefused, loadLatestSpend } from '../../money/day-spend.ts';
import { indexPartitions } from '../../store/keys.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';

/** Without a heartbeat, or with a job that waits, for so long the stack counts as degraded. */
export const HEARTBEAT_STALE_MS = 3 * MINUTE_MS;
/** Signals under way among which waiting conversations are counted: one batch read. */
const UNFINISHED_MAX = 100;

export type FindingTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

/** The records that entries of an index stand for, without those that are gone. */
export const loadRecords = async (
  table: Pick<Table, 'load'>,
  entries: readonly Item[],
): Promise<readonly SignalRecord[]> => {
  const items = await table.load(entries.map((entry) => ({ pk: String(entry.pk), sk: String(entry.sk) })));
  return items.flatMap((item) =>
    item === undefined ? [] : [parseStored(item, SignalRecord, `signal ${String(item.pk)}`)],
  );
};

const countWaiting = async (table: FindingTable, space: string): Promise<number> => {
  const partition = indexPartitions.unfinishedSignals(space);
  const page = await table.queryIndex({ index: 'unfinished', partition, limit: UNFINISHED_MAX });
  const waiting = (await loadRecords(table, page.items)).filter(
    ({ state, modelWait }) => state === 'perceived' && modelWait !== undefined,
  );
  return new Set(waiting.map(({ signal }) => signal.session)).size;
};

/** @param now epoch milliseconds. @throws UnavailableError if the table does not answer */
export const loadFindings = async (table: FindingTable, space: string, now: number): Promise<readonly string[]> => {
  const [spend, log, behind, texts] = await Promise.all([
    loadLatestSpend(table, space, now),
    loadLogProblem(table, space),
    // After a pause the jobs catch up over several ticks.
    describeBehind(table, space, now - HEARTBEAT_STALE_MS),
    describeWaitingTexts(table, space),
  ]);
  const [away] = describeAway(spend, now);
  const count = away === undefined ? 0 : await countWaiting(table, space);
  const wait = count === 1 ? '1 conversation waits' : `${count} conversations wait`;
  return [
    ...[log, behind].filter((one) => one !== undefined),
    ...describeRefusals(spend),
    ...(away === undefined ? [] : [`${away}; ${wait}`]),
    ...texts,
    ...(isEmbeddingRefused(spend, now) ? ['the embeddings endpoint refuses its key: set EMBEDDING_API_KEY'] : []),
  ];
};
