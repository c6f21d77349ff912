/**
 * Reservations over the table: read, plan, one conditional write, and again where somebody else was faster. Before a model is
 * asked its worst case is taken from every cap; what a crash leaves unsettled stays spent. The item as it stands is what a
 * lost race gives back, so the next try plans from it. A store that does not answer is an UnavailableError: no model is asked.
 */

import { ConditionError, ContendedError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX } from '../base/limits.ts';
import { absent, type Condition } from '../store/condition.ts';
import { type Item, isItem, type Table } from '../store/table.ts';
import type { BudgetCaps } from './caps.ts';
import { type Charge, parseDaySpend, spendKey, toldName } from './day-spend.ts';
import { type Account, type CapCheck, planCall, planSettlement } from './plan-reservation.ts';
import { type Heads, isReleaseDue, loadHead, loadHeads, planRelease } from './release-entries.ts';

type SpendTable = Pick<Table, 'update'>;
/** Who may not read heads of conversations gives no `load`, and releases nothing. */
type ReserveTable = SpendTable & Partial<Pick<Table, 'load'>>;

export type Reservation =
  | { readonly kind: 'reserved'; readonly item: Item; readonly turnUsd: number }
  | ({ readonly kind: 'over' } & CapCheck);

/** @param seen the day's item as it was read; @param known what earlier calls really cost */
export const reserveCall = async (
  table: ReserveTable,
  space: string,
  now: number,
  seen: Item | undefined,
  request: {
    readonly account: Account;
    readonly worst: Charge;
    readonly caps: BudgetCaps;
    readonly known: readonly Charge[];
  },
): Promise<Reservation> => {
  const { worst, caps, known } = request;
  const { session } = request.account;
  const { load } = table;
  let account = request.account;
  let item = seen;
  let heads: Heads | undefined;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    const spend = parseDaySpend(item);
    if (load !== undefined && heads === undefined && isReleaseDue(spend, session))
      heads = await loadHeads({ load }, space, spend, session);
    const release = heads === undefined ? undefined : planRelease(spend, session, heads);
    const plan = planCall(spend, account, worst, caps, known, release);
    if (plan.kind === 'over') {
      // Last calls of other conversations still count at worst: settling them may make room.
      const isOfAll = plan.cap === 'day' || plan.cap === 'tokens';
      if (load === undefined || heads !== undefined || !isOfAll) return plan;
      heads = await loadHeads({ load }, space, spend, session);
      continue;
    }
    try {
      const after = await table.update(spendKey(space, now), plan.change, plan.condition);
      return { kind: 'reserved', item: after, turnUsd: plan.turnUsd };
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      item = isItem(error.current) ? error.current : undefined;
      // The conversation's own entry may have been released since its head was read.
      if (load !== undefined && parseDaySpend(item).releases !== spend.releases)
        account = { ...account, head: (await loadHead({ load }, space, session)).spend };
    }
  }
  throw new ContendedError('the budget', CONFLICT_TRIES_MAX);
};

/** Settles a call at once: for calls that failed, which no later one would know of. Settling twice changes nothing. */
export const settleCall = async (
  table: SpendTable,
  space: string,
  now: number,
  seen: Item | undefined,
  account: Account,
  actual: Charge,
): Promise<Item | undefined> => {
  let item = seen;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    const plan = planSettlement(parseDaySpend(item), account, actual);
    if (plan === undefined) return item;
    try {
      return await table.update(spendKey(space, now), plan.change, plan.condition);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      item = isItem(error.current) ? error.current : undefined;
    }
  }
  return item;
};

/** Whether this is the first to say something today (that a cap is met, that a key was refused): one tells the owner. */
export const claimTelling = async (
  table: SpendTable,
  space: string,
  now: number,
  what: string,
  by: string,
): Promise<boolean> => {
  const name = toldName(what);
  const isUntold: Condition = { name: 'nobody was told yet', holds: absent(name) };
  try {
    await table.update(spendKey(space, now), { set: { schemaVersion: 1, [name]: by } }, isUntold);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    // Told by an earlier delivery of this very signal, which died before its decision was stored.
    return isItem(error.current) && error.current[name] === by;
  }
};
