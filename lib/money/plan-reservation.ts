/**
 * Plans a reservation: whether a cost fits under every cap, and the one conditional update that
 * takes it. The same update settles the conversation's last call, if its true cost is known, and
 * releases entries of other conversations. Its condition holds the entry as it was read, so nothing
 * is settled twice. Pure.
 */
import { defined } from '../base/defined.ts';
import type { Action } from '../signal/action.ts';
import type { BudgetFacts } from '../signal/facts.ts';
import { absent, allOf, anyOf, type Change, type Condition, equals, type Predicate } from '../store/condition.ts';
import type { Item } from '../store/table.ts';
import type { BudgetCaps, CapName } from './caps.ts';
import {
  type Charge,
  type DaySpend,
  type Entry,
  earlierJobUsd,
  entryName,
  type HeadSpend,
  jobOf,
  parseDaySpend,
  parseEntry,
  type StoredEntry,
  sessionEntry,
  shortName,
  storedEntry,
  storedText,
} from './day-spend.ts';

/** Entries in the counter. A crash leaves one until its conversation spends again. */
export const SPENDING_SESSIONS_MAX = 1_500;

/** The payer: a conversation or job, and one of its turns. */
export interface Account {
  /** A job's session is `job:<name>`; it counts under the job's cap too. */
  readonly session: string;
  /** Root of the turn. */
  readonly root: string;
  /** Micro-dollars of the turn by its stored decisions: counts if another turn has come between. */
  readonly turnUsd: number;
  /** Counts once the entry was released from the counter. */
  readonly head?: HeadSpend | undefined;
}

/** Micro-dollars and tokens. */
export interface Cost {
  readonly usd: number;
  readonly tokens: number;
}

/** Micro-dollars, or tokens for the caps in tokens. */
export interface CapCheck {
  readonly cap: CapName;
  readonly limit: number;
  readonly committed: number;
  readonly requested: number;
}

export type Plan =
  | {
      readonly kind: 'fits';
      readonly change: Change;
      readonly condition: Condition;
      /** Micro-dollars of the turn, this cost included. */
      readonly turnUsd: number;
    }
  | ({ readonly kind: 'over' } & CapCheck);

/** A settled call: what it changes, and what it saved. */
export interface Settled {
  readonly correction: Cost;
  readonly saved: Readonly<Record<string, number>>;
}

/** Entries that leave the counter, and what settling their last calls changes. */
export interface Release extends Settled {
  readonly entries: readonly StoredEntry[];
  /** Others that stay. */
  readonly left: number;
  /** The jobs' part of the correction. */
  readonly jobsUsd: number;
}

const NOTHING: Settled = { correction: { usd: 0, tokens: 0 }, saved: {} };
const NO_RELEASE: Release = { ...NOTHING, entries: [], left: 0, jobsUsd: 0 };

/** Without amounts that are 0. */
export const nonZero = (amounts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

/** Settles an open reservation; undefined if its true cost is not known. */
export const settle = (open: Entry['open'], known: readonly Charge[]): Settled | undefined => {
  const actual = open === undefined ? undefined : known.find(({ id }) => shortName(id) === open.id);
  if (open === undefined || actual === undefined) return undefined;
  const { savedByTier = 0, savedByCache = 0 } = actual;
  return {
    correction: { usd: actual.usd - open.usd, tokens: actual.tokens - open.tokens },
    saved: nonZero({ savedByTier, savedByCache }),
  };
};

/** An account's standing before a plan, its last call settled. */
interface Standing {
  readonly entry: Entry | undefined;
  readonly isSameTurn: boolean;
  readonly turnUsd: number;
  readonly usd: number;
  /** For the day. Nothing if the entry was released: then it is settled already. */
  readonly settled: Settled;
}

const standingOf = (seen: DaySpend, account: Account, known: readonly Charge[]): Standing => {
  const entry = sessionEntry(seen, account.session, account.head);
  const settled = settle(entry?.open, known) ?? NOTHING;
  const { usd } = settled.correction;
  const isSameTurn = entry?.turn === shortName(account.root);
  return {
    entry,
    isSameTurn,
    turnUsd: isSameTurn ? Math.max(entry.turnUsd + usd, account.turnUsd) : account.turnUsd,
    usd: (entry?.usd ?? 0) + usd,
    settled: storedEntry(seen, account.session) === undefined ? NOTHING : settled,
  };
};

/** Every cap that the cost counts against, the narrowest first. */
const checksOf = (
  seen: DaySpend,
  standing: Standing,
  { session }: Account,
  cost: Cost,
  caps: BudgetCaps,
): readonly CapCheck[] => {
  const money = (cap: CapName, limit: number, committed: number): CapCheck => ({
    cap,
    limit,
    committed,
    requested: cost.usd,
  });
  const { correction } = standing.settled;
  const jobUsd = standing.usd + earlierJobUsd(seen, session);
  return [
    money('turn', caps.turn, standing.turnUsd),
    money('session', caps.session, standing.usd),
    ...(jobOf(session) === undefined ? [] : [money('job', caps.job, jobUsd)]),
    money('day', caps.day, seen.usd + correction.usd),
    { cap: 'tokens', limit: caps.dayTokens, committed: seen.tokens + correction.tokens, requested: cost.tokens },
  ];
};

/** Crashes leave entries that nobody may release: the item must not grow without end. */
const conversationCheck = (seen: DaySpend, { session }: Account): CapCheck => ({
  cap: 'conversations',
  limit: SPENDING_SESSIONS_MAX,
  committed: seen.entries.size,
  requested: storedEntry(seen, session) === undefined ? 1 : 0,
});

/** A free request is never over a cap. */
const isOver = ({ limit, committed, requested }: CapCheck): boolean => requested > 0 && committed + requested > limit;

/** Holds if the sum stays under the cap after so much is added. */
const staysUnder = (attribute: string, cap: number, added: number): Predicate =>
  anyOf(absent(attribute), (p) => `${p.name(attribute)} <= ${p.value(cap - added)}`);

/** Without an entry, also none may have been released since the conversation's head was read. */
const isAsRead = (seen: DaySpend, session: string): Predicate => {
  const stored = storedEntry(seen, session);
  if (stored !== undefined) return equals(stored.name, stored.stored);
  const sameReleases = seen.releases === 0 ? absent('releases') : equals('releases', seen.releases);
  return allOf(absent(entryName(session)), sameReleases);
};

const addUp = (amounts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const each of amounts)
    for (const [name, amount] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
};

interface Wish {
  readonly seen: DaySpend;
  readonly account: Account;
  readonly cost: Cost;
  readonly caps: BudgetCaps;
  /** True costs of earlier calls. */
  readonly known: readonly Charge[];
  readonly release: Release | undefined;
}

/** @param buildEntry the conversation's entry after the write */
const plan = (wish: Wish, buildEntry: (standing: Standing) => Entry): Plan => {
  const { seen, account, cost, caps } = wish;
  const { session } = account;
  const standing = standingOf(seen, account, wish.known);
  const release = wish.release ?? NO_RELEASE;
  const released = release.correction;
  const day = { ...seen, usd: seen.usd + released.usd, tokens: seen.tokens + released.tokens };
  const checks = [...checksOf(day, standing, account, cost, caps), conversationCheck(seen, account)];
  const over = checks.find(isOver);
  if (over !== undefined) return { kind: 'over', ...over };
  const { correction, saved } = standing.settled;
  const usd = cost.usd + correction.usd + released.usd;
  const tokens = cost.tokens + correction.tokens + released.tokens;
  const ownJob = { jobsUsd: cost.usd + correction.usd, ...(standing.entry === undefined ? { jobs: 1 } : {}) };
  const isJob = jobOf(session) !== undefined;
  const releases = nonZero({ releases: release.entries.length === 0 ? 0 : 1, jobsUsd: release.jobsUsd });
  return {
    kind: 'fits',
    turnUsd: standing.turnUsd + cost.usd,
    change: {
      set: {
        ...(wish.release === undefined ? {} : { entriesLeft: release.left }),
        schemaVersion: 1,
        [entryName(session)]: storedText(session, buildEntry(standing)),
      },
      ...(release.entries.length === 0 ? {} : { remove: release.entries.map(({ name }) => name) }),
      add: addUp([{ usd, tokens }, saved, release.saved, isJob ? ownJob : {}, releases]),
    },
    condition: {
      name: 'the cost fits under the caps, and the conversation is as read',
      holds: allOf(
        isAsRead(seen, session),
        ...release.entries.map(({ name, stored }) => equals(name, stored)),
        ...(cost.usd > 0 ? [staysUnder('usd', caps.day, usd)] : []),
        ...(cost.tokens > 0 ? [staysUnder('tokens', caps.dayTokens, tokens)] : []),
      ),
    },
  };
};

/** @param known true costs of earlier calls; the open one is settled in the same write */
export const planCall = (
  seen: DaySpend,
  account: Account,
  worst: Charge,
  caps: BudgetCaps,
  known: readonly Charge[],
  release?: Release,
): Plan =>
  plan({ seen, account, cost: worst, caps, known, release }, ({ turnUsd, usd }) => ({
    turn: shortName(account.root),
    turnUsd: turnUsd + worst.usd,
    usd: usd + worst.usd,
    open: { id: shortName(worst.id), usd: worst.usd, tokens: worst.tokens },
  }));

/** Takes the known price of an effect. An open call of the entry stays open. */
export const planEffect = (seen: DaySpend, account: Account, price: number, caps: BudgetCaps): Plan => {
  const wish = { seen, account, cost: { usd: price, tokens: 0 }, caps, known: [], release: undefined };
  return plan(wish, ({ entry, isSameTurn, turnUsd, usd }) => {
    // The writer that released the entry settled its open call, which must not come back.
    const open = storedEntry(seen, account.session) === undefined ? undefined : entry?.open;
    // If it was approved after its turn, the turn that runs now keeps its own sum.
    const isOther = entry !== undefined && !isSameTurn;
    return {
      turn: isOther ? entry.turn : shortName(account.root),
      turnUsd: isOther ? entry.turnUsd : turnUsd + price,
      usd: usd + price,
      ...defined({ open }),
    };
  });
};

/** Settles the conversation's open reservation; undefined if its true cost is not known. */
export const planSettlement = (
  seen: DaySpend,
  { session }: Account,
  known: readonly Charge[],
): { readonly change: Change; readonly condition: Condition } | undefined => {
  const stored = storedEntry(seen, session);
  if (stored === undefined) return undefined;
  const { open, ...entry } = parseEntry(stored.text);
  const settled = settle(open, known);
  if (settled === undefined) return undefined;
  const { correction, saved } = settled;
  const after: Entry = { ...entry, turnUsd: entry.turnUsd + correction.usd, usd: entry.usd + correction.usd };
  return {
    change: {
      set: { [stored.name]: storedText(session, after) },
      add: { ...correction, ...saved, ...(jobOf(session) === undefined ? {} : { jobsUsd: correction.usd }) },
    },
    condition: { name: 'the conversation is as read', holds: equals(stored.name, stored.stored) },
  };
};

/** Micro-dollars of an action: 0 unless a price is configured for it. */
export const effectCost = (action: Action, costs: ReadonlyMap<string, number>): number =>
  action.target === 'webhook' ? (costs.get(action.to ?? '') ?? 0) : 0;

const leftUnder = ({ limit, committed }: CapCheck): number => limit - committed;

/** For the budget gate: the cap with the least left. Null if the action is free. */
export const budgetFacts = (
  action: Action,
  sources: {
    /** The day's counter as it was read. */
    readonly item: Item | undefined;
    readonly account: Account;
    readonly caps: BudgetCaps;
    readonly costs: ReadonlyMap<string, number>;
  },
): BudgetFacts | null => {
  const usd = effectCost(action, sources.costs);
  if (usd === 0) return null;
  const { account, caps } = sources;
  const seen = parseDaySpend(sources.item);
  const checks = checksOf(seen, standingOf(seen, account, []), account, { usd, tokens: 0 }, caps);
  const [tightest] = checks.filter(({ cap }) => cap !== 'tokens').toSorted((a, b) => leftUnder(a) - leftUnder(b));
  const { cap = 'day', limit = 0, committed = 0 } = tightest ?? {};
  return { cap: cap === 'turn' || cap === 'session' || cap === 'job' ? cap : 'day', limit, committed, requested: usd };
};
