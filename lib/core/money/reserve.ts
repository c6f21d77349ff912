/**
 * Reservations over the table: read, plan, one conditional write, and again after a lost race, from
 * the item that the lost write gives back. Before a model is asked, its worst case is taken from
 * every cap; after its answer a second write settles it, and a call that a crash leaves unsettled
 * stays spent. A reservation also releases entries of other conversations that their own heads have
 * by now, so that the item stays small. If the store does not answer, an UnavailableError follows
 * and no model is asked.
 */
import * as z from 'zod/mini';
import { ConditionError, ContendedError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX } from '../base/limits.ts';
import { absent, type Condition } from '../store/condition.ts';
import { sessionKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import { type Item, isItem, type Table } from '../store/table.ts';
import type { BudgetCaps } from './caps.ts';
import {
  type Charge,
  type DaySpend,
  HeadSpend,
  noticeName,
  parseDaySpend,
  type StoredEntry,
  spendKey,
} from './day-spend.ts';
import { type Account, type CapCheck, planCall, planSettlement, type Release } from './plan-reservation.ts';

/** Others' entries before anybody looks: six of 80 bytes fit a write unit of 1 KB. */
const ENTRIES_KEPT = 5;
/** Heads read in one request. */
const HEADS_READ_MAX = 100;

type SpendTable = Pick<Table, 'update'>;
/** A role that may not read heads of conversations gives no `load`, and releases nothing. */
type ReserveTable = SpendTable & Partial<Pick<Table, 'load'>>;

export type Reservation =
  | { readonly kind: 'reserved'; readonly item: Item; readonly turnUsd: number }
  | ({ readonly kind: 'over' } & CapCheck);

/** A conversation's head. One that cannot be read releases nothing. */
const Head = z.object({ spend: z.optional(HeadSpend) });
type Head = z.infer<typeof Head>;
type Heads = ReadonlyMap<string, Head>;

const parseHead = (item: Item | undefined): Head => {
  const parsed = Head.safeParse(item);
  return parsed.success ? parsed.data : {};
};

const othersOf = (spend: DaySpend, session: string): readonly StoredEntry[] =>
  [...spend.entries.values()].filter((one) => one.session !== session);

const isReleaseDue = (spend: DaySpend, session: string): boolean =>
  othersOf(spend, session).length >= spend.entriesLeft + ENTRIES_KEPT;

const loadHeads = async (
  table: Pick<Table, 'load'>,
  space: string,
  spend: DaySpend,
  session: string,
): Promise<Heads> => {
  const sessions = othersOf(spend, session)
    .map((one) => one.session)
    .slice(0, HEADS_READ_MAX);
  const keys = sessions.map((one) => sessionKey(space, one));
  const items = await table.load(keys, { isConsistent: true });
  return new Map(sessions.map((one, index) => [one, parseHead(items[index])]));
};

/** An entry may go if its head has the same: so no spending is lost. */
const planRelease = (spend: DaySpend, session: string, heads: Heads): Release => {
  const others = othersOf(spend, session);
  const entries = others.filter(({ session: name = '', text }) => {
    const copy = heads.get(name)?.spend;
    return copy !== undefined && copy.day === spend.day && copy.entry === text;
  });
  return { entries, left: others.length - entries.length };
};

/** The item as it stands, from a write that lost its race. @throws every other error */
const itemAfterLostRace = (error: unknown): Item | undefined => {
  if (!(error instanceof ConditionError)) throw error;
  return isItem(error.current) ? error.current : undefined;
};

/** @param seen the day's item as read */
export const reserveCall = async (
  table: ReserveTable,
  space: string,
  now: number,
  seen: Item | undefined,
  request: { readonly account: Account; readonly worst: Charge; readonly caps: BudgetCaps },
): Promise<Reservation> => {
  const { worst, caps } = request;
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
    const plan = planCall(spend, account, worst, caps, release);
    if (plan.kind === 'over') return plan;
    try {
      const after = await table.update(spendKey(space, now), plan.change, plan.condition);
      return { kind: 'reserved', item: after, turnUsd: plan.turnUsd };
    } catch (error) {
      item = itemAfterLostRace(error);
      // The conversation's own entry may have been released since its head was read.
      if (load !== undefined && parseDaySpend(item).releases !== spend.releases)
        account = { ...account, head: parseHead(await loadItem({ load }, sessionKey(space, session))).spend };
    }
  }
  throw new ContendedError('the budget', CONFLICT_TRIES_MAX);
};

/** Replaces the reservation of a call by what it cost. Settling twice changes nothing. */
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
      item = itemAfterLostRace(error);
    }
  }
  return item;
};

/** @returns whether this signal is the first of the day to give the owner a notice of `what` */
export const claimNotice = async (
  table: SpendTable,
  space: string,
  now: number,
  what: string,
  signalId: string,
): Promise<boolean> => {
  const name = noticeName(what);
  const isFirst: Condition = { name: 'nobody was told yet', holds: absent(name) };
  try {
    await table.update(spendKey(space, now), { set: { schemaVersion: 1, [name]: signalId } }, isFirst);
    return true;
  } catch (error) {
    // An earlier delivery of this signal may have claimed it, and died before its decision was
    // stored.
    return itemAfterLostRace(error)?.[name] === signalId;
  }
};
