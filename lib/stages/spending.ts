/**
 * The money side of a turn: the caps it spends under, whose account it is on, the quotas it draws
 * on, and what its earlier calls really cost. Pure: made from what was loaded about the turn.
 */

import { defined } from '../base/defined.ts';
import type { Occurrence } from '../jobs/occurrence.ts';
import { accountsOf, mayUseReserve, type QuotaAccount } from '../ledger/quota.ts';
import type { SessionHead } from '../ledger/record.ts';
import type { Priced } from '../llm/prices.ts';
import type { BudgetCaps } from '../money/caps.ts';
import { type Charge, jobSession } from '../money/day-spend.ts';
import type { Account } from '../money/plan-reservation.ts';
import type { Attempt, Decision } from '../signal/decision.ts';
import type { Signal } from '../signal/signal.ts';
import type { Item } from '../store/table.ts';

/** The owner's configuration of money. */
export interface Budget {
  readonly caps: BudgetCaps;
  /** The cascade, as far as prices depend on it. */
  readonly providers: readonly Priced[];
  /** Micro-dollars of a call of each configured webhook that has a price. */
  readonly webhookCosts: ReadonlyMap<string, number>;
  /** The chat that hears, once a day, that a cap is met; empty for none. */
  readonly homeChat: string;
}

export interface Spending {
  /** The day's counter as it was read last. */
  readonly item: Item | undefined;
  readonly account: Account;
  /** Real costs of earlier calls, which reservations still count at their worst case. */
  readonly known: readonly Charge[];
  /** Quotas of whoever began the turn; none for the owner. */
  readonly quotas: readonly QuotaAccount[];
  /** The job's own cap, micro-dollars a day. */
  readonly jobUsdMax?: number;
  /** The owner began the turn, so no part of a cap is kept from it. */
  readonly mayUseReserve: boolean;
}

/** Charges of attempts, as reservations know them. */
export const chargesOf = (attempts: readonly (Attempt | undefined)[]): readonly Charge[] =>
  attempts.flatMap((attempt) => {
    if (attempt?.cost === undefined) return [];
    const { isEstimated: _, turnUsd: _turn, ...charge } = attempt.cost;
    return [charge];
  });

/** The stored attempts give the costs of this turn, the session that of the turn before. */
export const buildSpending = (
  signal: Signal,
  root: Signal,
  loaded: {
    readonly item: Item | undefined;
    readonly head: SessionHead | undefined;
    readonly ancestors: readonly Decision[];
    readonly attempts: readonly Attempt[];
    /** The occurrence, if the turn is a run of a job. */
    readonly run?: Pick<Occurrence, 'capUsd'> | undefined;
  },
): Spending => {
  const attempts = [...loaded.ancestors.map(({ attempt }) => attempt), ...loaded.attempts];
  const { lastCall, spend } = loaded.head ?? {};
  const session = root.payload.sensor === 'job-due' ? jobSession(root.payload.job) : signal.session;
  return {
    item: loaded.item,
    quotas: accountsOf(root),
    ...defined({ jobUsdMax: loaded.run?.capUsd }),
    mayUseReserve: mayUseReserve(root),
    account: {
      session,
      root: signal.root,
      ...defined({ head: session === signal.session ? spend : undefined }),
      turnUsd: Math.max(0, ...attempts.map((attempt) => attempt?.cost?.turnUsd ?? 0)),
    },
    known: [...chargesOf(attempts), ...(lastCall === undefined ? [] : [lastCall])],
  };
};
