/**
 * Reservations over the table: read, plan, one conditional write, and again where somebody else was faster. Before a model is
 * asked its worst case is taken from every cap; what a crash leaves unsettled stays spent. The item as it stands is what a
 * lost race gives back, so the next try plans from it. A store that does not answer is an UnavailableError: no model is asked.
 */
import { absent, type Condition } from '../aws/condition.ts';
import type { Item, Table } from '../aws/table.ts';
import { ConditionError, LostRaceError } from '../errors.ts';
import { CONFLICT_TRIES_MAX } from '../limits.ts';
import type { BudgetCaps } from './caps.ts';
import { type Charge, parseDaySpend, spendKey, toldName } from './day-spend.ts';
import { type Account, type CapCheck, planCall, planSettlement } from './plan-reservation.ts';

type SpendTable = Pick<Table, 'update'>;

export type Reservation =
  | { readonly kind: 'reserved'; readonly item: Item; readonly turnUsd: number }
  | ({ readonly kind: 'over' } & CapCheck);

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

/** @param seen the day's item as it was read; @param known what earlier calls really cost */
export const reserveCall = async (
  table: SpendTable,
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
  let item = seen;
  for (let attempt = 0; attempt < CONFLICT_TRIES_MAX; attempt += 1) {
    const plan = planCall(parseDaySpend(item), request.account, request.worst, request.caps, request.known);
    if (plan.kind === 'over') return plan;
    try {
      const after = await table.update(spendKey(space, now), plan.change, plan.condition);
      return { kind: 'reserved', item: after, turnUsd: plan.turnUsd };
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      item = isItem(error.current) ? error.current : undefined;
    }
  }
  throw new LostRaceError('the budget');
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
