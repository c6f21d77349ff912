/**
 * Charges an action to the budget, by a write of the very transaction that claims it: neither
 * happens without the other. A claimed effect is paid for once: a retry costs nothing more. An
 * effect that failed or was stopped after its claim stays spent, because its receiver may bill it
 * all the same, unless its actuator knows what it cost (`correct-cost.ts`).
 */
import { parseRecord } from '../../../ledger/ledger.ts';
import { capsOf } from '../../../ledger/quota.ts';
import { parseHead } from '../../../ledger/session.ts';
import type { BudgetCaps } from '../../../money/caps.ts';
import { parseDaySpend, spendKey } from '../../../money/day-spend.ts';
import { describeCap } from '../../../money/describe-spending.ts';
import { effectCost } from '../../../money/effect-cost.ts';
import { budgetFacts, planEffect } from '../../../money/plan-reservation.ts';
import { sessionKey, signalKeys } from '../../../store/keys.ts';
import { loadNamed } from '../../../store/load-named.ts';
import { buildSpending, type Spending } from '../../spending.ts';
import type { ActDeps, ActTurn, LoadedTask } from '../act-context.ts';
import type { Addition, Look, Problem } from '../guard.ts';

export interface EffectBudget {
  readonly caps: BudgetCaps;
  /** Micro-dollars of a call of each configured webhook that has a price. */
  readonly webhookCosts: ReadonlyMap<string, number>;
}

/** A price to be paid now, and the account it is taken from. */
interface Bill {
  readonly usd: number;
  readonly spending: Spending;
  /** The caps it counts against: all of them if a person approved the action. */
  readonly caps: BudgetCaps;
}

const loadBill = async (
  budget: EffectBudget,
  { table, now }: ActDeps,
  { decision }: ActTurn,
  { signal, judged, approvalId }: LoadedTask,
): Promise<Bill> => {
  const { space, root, session } = signal;
  const items = await loadNamed(table, {
    spend: spendKey(space, now()),
    root: signalKeys.record(space, root),
    head: sessionKey(space, session),
  });
  const rootSignal = items.root === undefined ? signal : parseRecord(root, items.root).signal;
  const head = items.head === undefined ? undefined : parseHead(session, items.head);
  const loaded = { item: items.spend, head, ancestors: [decision], attempts: [] };
  const spending = buildSpending(signal, rootSignal, loaded);
  const caps = approvalId === undefined ? capsOf(spending, budget.caps) : budget.caps;
  return { usd: effectCost(judged.action, budget.webhookCosts), spending, caps };
};

/** @returns the write that pays the bill, or why it cannot be paid */
const payBill = ({ usd, spending, caps }: Bill, space: string, now: number): Addition | Problem => {
  const plan = planEffect(parseDaySpend(spending.item), spending.account, usd, caps);
  if (plan.kind === 'over') return { problem: `it costs more than the budget allows: ${describeCap(plan)}` };
  const { change, condition } = plan;
  return { writes: [{ kind: 'update', key: spendKey(space, now), change, condition }], costUsd: usd };
};

export const lookAtMoney = async (
  budget: EffectBudget,
  deps: ActDeps,
  turn: ActTurn,
  task: LoadedTask,
): Promise<Look> => {
  const bill = await loadBill(budget, deps, turn, task);
  const { item, account } = bill.spending;
  return {
    facts: {
      budgetOf: (action) => budgetFacts(action, { item, account, caps: bill.caps, costs: budget.webhookCosts }),
    },
    costs: { usd: bill.usd, leftUsd: Math.max(0, budget.caps.day - parseDaySpend(item).usd) },
    atClaim: async ({ now }) => payBill(bill, task.signal.space, now),
  };
};
