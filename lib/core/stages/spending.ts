/** The caps, account and quotas of a turn, made of what was loaded about it. Pure. */

import { defined } from '../base/defined.ts';
import { accountsOf, mayUseReserve, type QuotaAccount } from '../ledger/quota.ts';
import type { SessionHead } from '../ledger/record.ts';
import type { RecordingEnv } from '../llm/audio-endpoint.ts';
import type { Priced } from '../llm/prices.ts';
import type { BudgetCaps } from '../money/caps.ts';
import { jobSession } from '../money/day-spend.ts';
import type { Account } from '../money/plan-reservation.ts';
import type { Attempt, Decision } from '../signal/decision.ts';
import type { JobRun } from '../signal/job-run.ts';
import type { Signal } from '../signal/signal.ts';
import type { Item } from '../store/table.ts';

export interface Budget {
  readonly caps: BudgetCaps;
  /** The cascade, as far as prices depend on it. */
  readonly providers: readonly Priced[];
  /** Micro-dollars of a call of each configured webhook that has a price. */
  readonly webhookCosts: ReadonlyMap<string, number>;
  /** The chat that hears, once a day, that a cap is met; empty for none. */
  readonly homeChat: string;
  /** The settings that say what a recording costs; none is paid for if absent. */
  readonly recordings?: RecordingEnv;
}

export interface Spending {
  /** The day's counter as it was read last. */
  readonly item: Item | undefined;
  readonly account: Account;
  /** Quotas of whoever began the turn; none for the owner. */
  readonly quotas: readonly QuotaAccount[];
  /** The job's own cap, micro-dollars a day. */
  readonly jobUsdMax?: number;
  /** The owner began the turn, so no part of a cap is kept from it. */
  readonly mayUseReserve: boolean;
}

/** The stored attempts give the costs of this turn. */
export const buildSpending = (
  signal: Signal,
  root: Signal,
  loaded: {
    readonly item: Item | undefined;
    readonly head: SessionHead | undefined;
    readonly ancestors: readonly Decision[];
    readonly attempts: readonly Attempt[];
    /** Set if the turn is a run of a job. */
    readonly run?: Pick<JobRun, 'capUsd'> | undefined;
  },
): Spending => {
  const attempts = [...loaded.ancestors.map(({ attempt }) => attempt), ...loaded.attempts];
  const session = root.payload.sensor === 'job-due' ? jobSession(root.payload.job) : signal.session;
  return {
    item: loaded.item,
    quotas: accountsOf(root),
    ...defined({ jobUsdMax: loaded.run?.capUsd }),
    mayUseReserve: mayUseReserve(root),
    account: {
      session,
      root: signal.root,
      ...defined({ head: session === signal.session ? loaded.head?.spend : undefined }),
      turnUsd: Math.max(0, ...attempts.map((attempt) => attempt?.cost?.turnUsd ?? 0)),
    },
  };
};
