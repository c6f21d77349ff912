/** Walks all signals of a space, newest first, without those this release cannot read. */

import type { Decision } from '../signal/decision.ts';
import { indexPartitions } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import { readOrSkip } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';
import { parseDecision, parseRecord } from './ledger.ts';
import type { SignalRecord } from './record.ts';

/** Signals looked through: some 100 a second, within the time of Act and the console. */
const FEED_WALK_SIGNALS_MAX = 20_000;

export type FeedTable = Pick<Table, 'load' | 'queryIndex'>;

export interface WalkedSignal {
  readonly id: string;
  readonly record: SignalRecord;
  readonly decision: Decision | undefined;
}

/** Two items each make one batch read. */
const SIGNALS_AT_ONCE = 50;

/** @param most signals that are read @returns true if it came to the end */
export const walkFeed = async (
  table: FeedTable,
  space: string,
  since: number,
  visit: (signals: readonly WalkedSignal[]) => Promise<void> | void,
  most = FEED_WALK_SIGNALS_MAX,
): Promise<boolean> => {
  let cursor: string | undefined;
  for (let walked = 0; walked < most; ) {
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
    const isOlder = (item: Item | undefined): boolean => Number(item?.feedAt) < since;
    await visit(
      keys.flatMap(({ pk }, n) => {
        const id = pk.split('#').slice(2).join('#');
        const item = isOlder(records[n]) ? undefined : records[n];
        const record = readOrSkip(item, (known) => parseRecord(id, known));
        const decision = readOrSkip(decisions[n], (known) => parseDecision(id, known));
        return record === undefined ? [] : [{ id, record, decision }];
      }),
    );
    walked += keys.length;
    cursor = page.cursor;
    if (cursor === undefined || records.some(isOlder)) return true;
  }
  return false;
};
