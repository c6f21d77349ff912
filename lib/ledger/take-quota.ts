/**
 * Takes from quotas over the table, all accounts of a turn or none. What is taken at worst before a
 * model is asked is given back afterwards as far as it was not used; a process that dies in between
 * leaves it taken, which errs on the quiet side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionError, ContendedError, UnavailableError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX } from '../base/limits.ts';
import type { BudgetCaps } from '../money/caps.ts';
import { isItem, type Table } from '../store/table.ts';
import {
  type Amounts,
  countOf,
  limitOf,
  type QuotaAccount,
  quotaKey,
  quotaName,
  refusedChange,
  returnChange,
  takeWrite,
  wasFirstRefused,
} from './quota.ts';

/**
 * Longest wait before a transaction that met another is tried again, doubled each time; drawn at
 * random.
 */
const CONFLICT_WAIT_MS = 10;

const isConflict = (error: unknown): boolean => error instanceof ContendedError;

/**
 * Two writers of one item cancel each other's transactions: they are tried again.
 * @param isLost tells further errors after which another try may do; @throws the last one
 */
export const retryConflicts = async <T>(
  attempt: () => Promise<T>,
  isLost: (error: unknown) => boolean = isConflict,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(isConflict(error) || isLost(error))) throw error;
      if (tries >= CONFLICT_TRIES_MAX) throw isConflict(error) ? error : new ContendedError('the same item', tries);
      await sleep(Math.random() * CONFLICT_WAIT_MS * 2 ** tries);
    }
  }
};

/** The account whose bound a failed condition is about. */
export const fullAccount = (error: unknown, accounts: readonly QuotaAccount[]): QuotaAccount | undefined =>
  error instanceof ConditionError ? accounts.find((account) => quotaName(account) === error.condition) : undefined;

/** A bound that has no room: micro-dollars, or tokens. */
export interface FullQuota {
  readonly what: 'usd' | 'tokens';
  readonly committed: number;
  readonly limit: number;
  readonly requested: number;
}

/** @returns what has no room, where something has none. */
export const takeSpending = async (
  table: Pick<Table, 'update' | 'transact'>,
  space: string,
  accounts: readonly QuotaAccount[],
  amounts: { readonly usd: number; readonly tokens: number },
  caps: BudgetCaps,
  now: number,
): Promise<FullQuota | undefined> => {
  const { usd, tokens } = amounts;
  const writes = accounts.map((account) => takeWrite(space, account, { usd, tokens }, now, caps));
  const [first, ...others] = writes;
  if (first === undefined) return undefined;
  try {
    if (others.length === 0) await table.update(first.key, first.change, first.condition);
    else await retryConflicts(() => table.transact(writes));
    return undefined;
  } catch (error) {
    const account = fullAccount(error, accounts);
    if (account === undefined || !(error instanceof ConditionError)) throw error;
    const item = isItem(error.current) ? error.current : undefined;
    const checks = (['usd', 'tokens'] as const).map((what): FullQuota => {
      const [committed, limit] = [countOf(item, what), limitOf(account, what, caps)];
      return { what, committed, limit, requested: amounts[what] };
    });
    return checks.find(({ committed, limit, requested }) => committed + requested > limit) ?? checks[0];
  }
};

/**
 * One request for each account. What the table does not take stays taken: an answer that was paid
 * for is not lost over it.
 */
export const returnSpending = async (
  table: Pick<Table, 'update'>,
  space: string,
  accounts: readonly QuotaAccount[],
  amounts: Amounts,
  now: number,
): Promise<void> => {
  try {
    for (const account of accounts) await table.update(quotaKey(space, account, now), returnChange(amounts, now));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
};

/**
 * Counts a refusal. @returns whether this signal is the account's first of the day, which alone is
 * told
 */
export const noteRefused = async (
  table: Pick<Table, 'update'>,
  space: string,
  account: QuotaAccount,
  refused: { readonly id: string; readonly what: string },
  now: number,
): Promise<boolean> => {
  const { id, what } = refused;
  const item = await table.update(quotaKey(space, account, now), refusedChange(id, what, now));
  return wasFirstRefused(item, id, what);
};
