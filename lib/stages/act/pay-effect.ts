/**
 * Charges an action to the budget and to quotas, by writes of the very transaction that claims it:
 * neither happens without the other. A claimed effect is paid for once: a retry costs nothing more.
 * An effect that failed or was stopped after its claim stays spent, because its receiver may bill
 * it all the same, unless its actuator knows what it cost (`correct-cost.ts`).
 */
import { parseRecord } from '../../ledger/ledger.ts';
import { accountsOf, capsOf, countOf, limitOf, quotaKey, takeWrite } from '../../ledger/quota.ts';
import { parseHead } from '../../ledger/session.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import { parseDaySpend, spendKey } from '../../money/day-spend.ts';
import { effectCost, planEffect } from '../../money/plan-reservation.ts';
import type { Action } from '../../signal/action.ts';
import type { Decision, Effect } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { sessionKey, signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { Table, Write } from '../../store/table.ts';
import { remember } from '../../tools/remember.ts';
import { buildSpending, type Spending } from '../spending.ts';
import { loadLazy } from './act-context.ts';
import { loadRoot } from './load-decision.ts';

export interface EffectBudget {
  readonly caps: BudgetCaps;
  /** Micro-dollars of a call of each configured webhook that has a price. */
  readonly webhookCosts: ReadonlyMap<string, number>;
}

/** A price to be paid now, and the account it is taken from. */
export interface Bill {
  readonly usd: number;
  readonly spending: Spending;
  /** The caps it counts against: all of them if a person approved the action. */
  readonly caps: BudgetCaps;
}

/** Undefined if the action costs nothing, or an earlier claim has paid for it. */
export const loadBill = async (
  table: Pick<Table, 'load'>,
  budget: EffectBudget,
  {
    signal,
    decision,
    action,
    effect,
    isApproved,
    now,
  }: {
    readonly signal: Signal;
    readonly decision: Decision;
    readonly action: Action;
    readonly effect: Effect | undefined;
    readonly isApproved: boolean;
    readonly now: number;
  },
): Promise<Bill | undefined> => {
  const usd = effectCost(action, budget.webhookCosts);
  if (usd === 0 || (effect !== undefined && effect.state !== 'suspended')) return undefined;
  const { space, root, session } = signal;
  const items = await loadNamed(table, {
    spend: spendKey(space, now),
    root: signalKeys.record(space, root),
    head: sessionKey(space, session),
  });
  const rootSignal = items.root === undefined ? signal : parseRecord(root, items.root).signal;
  const head = items.head === undefined ? undefined : parseHead(session, items.head);
  const loaded = { item: items.spend, head, ancestors: [decision], attempts: [] };
  const spending = buildSpending(signal, rootSignal, loaded);
  return { usd, spending, caps: isApproved ? budget.caps : capsOf(spending, budget.caps) };
};

/** @returns the write that pays the bill, or why it cannot be paid */
export const payBill = async (
  { usd, spending, caps }: Bill,
  space: string,
  now: number,
): Promise<{ readonly write: Write } | { readonly problem: string }> => {
  const plan = planEffect(parseDaySpend(spending.item), spending.account, usd, caps);
  if (plan.kind === 'over') {
    const { describeCap } = await loadLazy();
    return { problem: `it costs more than the budget allows: ${describeCap(plan)}` };
  }
  return { write: { kind: 'update', key: spendKey(space, now), change: plan.change, condition: plan.condition } };
};

/** The costs as an approval's card shows them. */
export const costsOf = (
  bill: Bill | undefined,
  { caps }: EffectBudget,
): { readonly usd: number; readonly leftUsd: number } =>
  bill === undefined
    ? { usd: 0, leftUsd: 0 }
    : { usd: bill.usd, leftUsd: Math.max(0, caps.day - parseDaySpend(bill.spending.item).usd) };

export interface NoteQuota {
  readonly writes: readonly Write[];
  /** Why no more notes are kept today. */
  readonly problem?: string | undefined;
}

/** Notes kept for somebody without rights count on quotas. @param action not tried before */
export const loadNoteQuota = async (
  table: Pick<Table, 'load'>,
  signal: Signal,
  action: Action,
  now: number,
): Promise<NoteQuota | undefined> => {
  if (action.tool !== remember.name) return undefined;
  const accounts = accountsOf(await loadRoot(table, signal));
  const keys = accounts.map((account) => quotaKey(signal.space, account, now));
  const items = await table.load(keys, { isConsistent: true });
  const full = accounts.find((account, n) => countOf(items[n], 'notes') >= limitOf(account, 'notes'));
  return {
    writes: accounts.map((account) => takeWrite(signal.space, account, { notes: 1 }, now)),
    ...(full === undefined
      ? {}
      : { problem: `this ${full.kind} has had all ${limitOf(full, 'notes')} notes of today kept` }),
  };
};
