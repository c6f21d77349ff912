/** What an effect costs, by configuration, and how that stands against the caps: the facts the budget gate judges. Pure. */

import type { Action } from '../signal/action.ts';
import type { BudgetFacts } from '../signal/facts.ts';
import type { Item } from '../store/table.ts';
import type { BudgetCaps } from './caps.ts';
import { parseDaySpend } from './day-spend.ts';
import { type Account, tightestCap } from './plan-reservation.ts';

/** Micro-dollars; 0 for everything no price is configured for. */
export const effectCost = (action: Action, costs: ReadonlyMap<string, number>): number =>
  action.target === 'webhook' ? (costs.get(action.to ?? '') ?? 0) : 0;

/** Null for what costs nothing. @param item the day's counter as it was read */
export const budgetFacts = (
  action: Action,
  sources: {
    readonly item: Item | undefined;
    readonly account: Account;
    readonly caps: BudgetCaps;
    readonly costs: ReadonlyMap<string, number>;
  },
): BudgetFacts | null => {
  const usd = effectCost(action, sources.costs);
  if (usd === 0) return null;
  const { cap, limit, committed, requested } = tightestCap(
    parseDaySpend(sources.item),
    sources.account,
    { usd, tokens: 0 },
    sources.caps,
  );
  return { cap: cap === 'turn' || cap === 'session' || cap === 'job' ? cap : 'day', limit, committed, requested };
};
