/**
 * Paying for an effect that has a price: taken from every cap in the very transaction that claims the action, so that neither
 * happens without the other. What was claimed once is paid for: a retry of the same effect costs nothing more, and one that
 * failed or was stopped after its claim stays spent, because its receiver may bill it all the same.
 */

import { parseRecord } from '../../ledger/ledger.ts';
import { capsOf } from '../../ledger/quota.ts';
import { parseHead } from '../../ledger/session.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import { parseDaySpend, spendKey } from '../../money/day-spend.ts';
import { describeCap } from '../../money/describe-spending.ts';
import { effectCost, planEffect } from '../../money/plan-reservation.ts';
import type { Action } from '../../signal/action.ts';
import type { Decision, Effect } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { sessionKey, signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { Table, Write } from '../../store/table.ts';
import type { Spending } from '../spending.ts';
import { buildSpending } from '../spending.ts';

/** What Act is told of money. */
export interface EffectBudget {
  readonly caps: BudgetCaps;
  /** Micro-dollars of a call of each configured webhook that has a price. */
  readonly webhookCosts: ReadonlyMap<string, number>;
}

/** Something to be paid for now: its price, and the account as it was read. */
export interface Bill {
  readonly usd: number;
  readonly spending: Spending;
  /** Those that count for it: of what a person approved, all. */
  readonly caps: BudgetCaps;
}

/** `undefined` for what costs nothing, or was paid for by an earlier claim of this very effect. */
export const loadBill = async (
  table: Pick<Table, 'load'>,
  budget: EffectBudget,
  of: {
    readonly signal: Signal;
    readonly decision: Decision;
    readonly action: Action;
    readonly effect: Effect | undefined;
    readonly isApproved: boolean;
    readonly now: number;
  },
): Promise<Bill | undefined> => {
  const usd = effectCost(of.action, budget.webhookCosts);
  if (usd === 0 || (of.effect !== undefined && of.effect.state !== 'suspended')) return undefined;
  const { space, root } = of.signal;
  const { session } = of.signal;
  const items = await loadNamed(table, {
    spend: spendKey(space, of.now),
    root: signalKeys.record(space, root),
    head: sessionKey(space, session),
  });
  const rootSignal = items.root === undefined ? of.signal : parseRecord(root, items.root).signal;
  const head = items.head === undefined ? undefined : parseHead(session, items.head);
  const loaded = { item: items.spend, head, ancestors: [of.decision], attempts: [] };
  const spending = buildSpending(of.signal, rootSignal, loaded);
  return { usd, spending, caps: of.isApproved ? budget.caps : capsOf(spending, budget.caps) };
};

/** The write that pays a bill, for the transaction of the claim; or why it cannot be paid. */
export const payBill = (
  { usd, spending, caps }: Bill,
  space: string,
  now: number,
): { readonly write: Write } | { readonly problem: string } => {
  const plan = planEffect(parseDaySpend(spending.item), spending.account, usd, caps);
  if (plan.kind === 'over') return { problem: `it costs more than the budget allows: ${describeCap(plan)}` };
  return { write: { kind: 'update', key: spendKey(space, now), change: plan.change, condition: plan.condition } };
};

/** As an approval's card tells it. */
export const costsOf = (
  bill: Bill | undefined,
  { caps }: EffectBudget,
): { readonly usd: number; readonly leftUsd: number } =>
  bill === undefined
    ? { usd: 0, leftUsd: 0 }
    : { usd: bill.usd, leftUsd: Math.max(0, caps.day - parseDaySpend(bill.spending.item).usd) };
