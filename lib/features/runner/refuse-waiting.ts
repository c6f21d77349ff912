/**
 * Refuses the orders that wait for a machine which was paused or removed, so that nobody waits an
 * hour for them. Jobs that it has taken go on; a removed machine ends them when it next asks.
 */
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { partsOfOrderId } from '../../core/signal/ids.ts';
import type { PerceiveMessage } from '../../core/signal/messages.ts';
import { indexPartitions, ORDER_PREFIX } from '../../core/store/keys.ts';
import type { Publish } from '../../core/store/queue.ts';
import type { Table } from '../../core/store/table.ts';
import { loadOrderRow, refuseOrder } from './order-row.ts';

const WAITING_PAGE = 100;

/** Jobs of all kinds by the time they are due. More than this the heartbeat ends, an hour later. */
const WAITING_PAGES_MAX = 10;

export const refuseWaiting = async (
  table: Pick<Table, 'load' | 'queryIndex' | 'update'>,
  publish: Publish<PerceiveMessage>,
  space: string,
  runner: string,
  why: string,
): Promise<void> => {
  let cursor: string | undefined;
  for (let page = 0; page < WAITING_PAGES_MAX; page += 1) {
    const partition = indexPartitions.jobs(space);
    const found = await table.queryIndex({ index: 'unfinished', partition, limit: WAITING_PAGE, cursor });
    for (const { sk } of found.items) {
      const name = String(sk);
      if (!name.startsWith(ORDER_PREFIX)) continue;
      const row = await loadOrderRow(table, space, name.slice(ORDER_PREFIX.length));
      if (row?.runner !== runner || row.state !== 'queued') continue;
      await refuseOrder(table, space, row.id, why);
      const { signalId: id } = partsOfOrderId(row.id);
      await publish(perceiveMessage({ space, session: row.session, id }), `runner:${row.id}:refused`);
    }
    cursor = found.cursor;
    if (cursor === undefined) return;
  }
};
