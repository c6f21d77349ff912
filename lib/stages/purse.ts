/**
 * Whose account a turn is on, which quotas it draws on, and what its earlier calls really cost,
 * from what was loaded about it: pure. The stored attempts say so for this turn, the session for
 * the last call of the turn before.
 */

import { accountsOf, mayUseReserve } from '../ledger/quota.ts';
import type { SessionHead } from '../ledger/record.ts';
import { jobSession } from '../money/day-spend.ts';
import type { Attempt, Decision } from '../signal/decision.ts';
import type { Signal } from '../signal/signal.ts';
import type { Item } from '../store/table.ts';
import { chargesOf, type Purse } from './pay.ts';

export const buildPurse = (
  signal: Signal,
  root: Signal,
  loaded: {
    readonly item: Item | undefined;
    readonly head: SessionHead | undefined;
    readonly ancestors: readonly Decision[];
    readonly attempts: readonly Attempt[];
  },
): Purse => {
  const attempts = [...loaded.ancestors.map(({ attempt }) => attempt), ...loaded.attempts];
  const { lastCall, spend } = loaded.head ?? {};
  const session = root.payload.sensor === 'job-due' ? jobSession(root.payload.job) : signal.session;
  return {
    item: loaded.item,
    quotas: accountsOf(root),
    mayUseReserve: mayUseReserve(root),
    account: {
      session,
      root: signal.root,
      ...(session === signal.session && spend !== undefined ? { head: spend } : {}),
      turnUsd: Math.max(0, ...attempts.map((attempt) => attempt?.cost?.turnUsd ?? 0)),
    },
    known: [...chargesOf(attempts), ...(lastCall === undefined ? [] : [lastCall])],
  };
};
