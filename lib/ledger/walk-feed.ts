/**
 * Walks all signals of a space, newest first, with their records and decisions. Bounded. Reads
 * only. @throws UnavailableError
 */

import { indexPartitions } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Item, Table } from '../store/table.ts';

/** Signals looked through: some 100 a second, within the time of Act and the console. */
const FEED_WALK_SIGNALS_MAX = 20_000;

export type FeedTable = Pick<Table, 'load' | 'queryIndex'>;

export interface WalkedSignal {
  /** Partition of the signal. */
  readonly pk: string;
  readonly record: Item;
  readonly decision: Item | undefined;
}

/** Two items each make one batch read. */
const SIGNALS_AT_ONCE = 50;

/**
 * @param since epoch milliseconds
 * @returns true if it came to the end
 */
export const walkFeed = async (
  table: FeedTable,
  space: string,
  since: number,
  visit: (signals: readonly WalkedSignal[]) => Promise<void> | void,
): Promise<boolean> => {
  let cursor: string | undefined;
  for (let walked = 0; walked < FEED_WALK_SIGNALS_MAX; ) {
    const page = await table.queryIndex({
      index: 'feed',
      partition: indexPartitions.feed(space),
      limit: SIGNALS_AT_ONCE,
      isDescending: true,
      cursor,
    });
    const keys = page.items.map((item) => ({ pk: String(item.pk), sk: String(item.sk) }));
    const { records, decisions } = await loadNamed(table, {
      records: keys,
      decisions: keys.map(({ pk }) => ({ pk, sk: 'decision' })),
    });
    const signals = keys.flatMap(({ pk }, n): readonly WalkedSignal[] => {
      const record = records[n];
      return record === undefined ? [] : [{ pk, record, decision: decisions[n] }];
    });
    await visit(signals.filter(({ record }) => Number(record.feedAt) >= since));
    walked += keys.length;
    cursor = page.cursor;
    if (cursor === undefined || signals.some(({ record }) => Number(record.feedAt) < since)) return true;
  }
  return false;
};
