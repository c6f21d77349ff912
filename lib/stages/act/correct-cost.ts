/**
 * Replaces the price that an effect paid with its claim by what it came to, also less: a write of
 * the transaction that settles the effect, so that it is done once.
 */
import { parseDaySpend, spendKey } from '../../money/day-spend.ts';
import { planCorrection } from '../../money/plan-reservation.ts';
import type { Signal } from '../../signal/signal.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table, Write } from '../../store/table.ts';

/** @param usd micro-dollars that are added @returns undefined if the price stays as it was paid */
export const planCostWrite = async (
  table: Pick<Table, 'load'>,
  { space, session, root }: Signal,
  usd: number,
  now: number,
): Promise<Write | undefined> => {
  const key = spendKey(space, now);
  const plan = planCorrection(parseDaySpend(await loadItem(table, key)), { session, root }, usd);
  return plan && { kind: 'update', key, ...plan };
};
