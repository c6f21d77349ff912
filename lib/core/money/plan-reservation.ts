/**
 * Plans a reservation: whether a cost fits under every cap, and the one conditional update that
 * takes it. The same update releases entries of other conversations. Another update settles the
 * call after its answer. Its condition holds the entry as it was read, so nothing is settled twice.
 * Pure.
 */
import { defined } from '../base/defined.ts';
import type { Action } from '../signal/action.ts';
import type { BudgetFacts } from '../signal/facts.ts';
import { absent, allOf, anyOf, type Condition, equals, type ItemChange, type Predicate } from '../store/condition.ts';
import type { Item } from '../store/table.ts';
import type { BudgetCaps, CapName } from './caps.ts';
import {
  type Charge,
  type DaySpend,
  type Entry,
  entryName,
  type HeadSpend,
  jobOf,
  parseDaySpend,
  parseEntry,
  type StoredEntry,
  sessionEntry,
  shortName,
  sourceNames,
  storedEntry,
  storedText,
} from './day-spend.ts';
import { effectCost } from './effect-cost.ts';

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
  /** The source whose event began the turn, and its share of the day. */
  readonly source?: { readonly name: string; readonly usd: number; readonly tokens: number } | undefined;
}

/** Micro-dollars and tokens. */
interface Cost {
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
      readonly change: ItemChange;
      readonly condition: Condition;
      /** Micro-dollars of the turn, this cost included. */
      readonly turnUsd: number;
    }
  | ({ readonly kind: 'over' } & CapCheck);

export interface Release {
  readonly entries: readonly StoredEntry[];
  /** Others that stay. */
  readonly left: number;
}

/** Without amounts that are 0. */
const nonZero = (amounts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

interface Standing {
  readonly entry: Entry | undefined;
  readonly isSameTurn: boolean;
  readonly turnUsd: number;
  readonly usd: number;
}

const standingOf = (seen: DaySpend, account: Account): Standing => {
  const entry = sessionEntry(seen, account.session, account.head);
  const isSameTurn = entry?.turn === shortName(account.root);
  return {
    entry,
    isSameTurn,
    turnUsd: isSameTurn ? Math.max(entry.turnUsd, account.turnUsd) : account.turnUsd,
    usd: entry?.usd ?? 0,
  };
};

/** A source's share of the day is counted in the counter itself: that costs no request. */
const sharesOf = (seen: DaySpend, { source }: Account, cost: Cost) => {
  if (source === undefined) return [];
  const share = (cap: CapName, attribute: string, limit: number, requested: number) => {
    return { attribute, check: { cap, limit, requested, committed: seen.sources.get(attribute) ?? 0 } };
  };
  const names = sourceNames(source.name);
  return [
    share('quota', names.usd, source.usd, cost.usd),
    share('quota-tokens', names.tokens, source.tokens, cost.tokens),
  ];
};

const addedTo = (source: Account['source'], { usd, tokens }: Cost): Readonly<Record<string, number>> => {
  if (source === undefined) return {};
  const names = sourceNames(source.name);
  return { [names.usd]: usd, [names.tokens]: tokens };
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
  return [
    money('turn', caps.turn, standing.turnUsd),
    money('session', caps.session, standing.usd),
    ...(jobOf(session) === undefined ? [] : [money('job', caps.job, standing.usd)]),
    money('day', caps.day, seen.usd),
    { cap: 'tokens', limit: caps.dayTokens, committed: seen.tokens, requested: cost.tokens },
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

interface Wish {
  readonly seen: DaySpend;
  readonly account: Account;
  readonly cost: Cost;
  readonly caps: BudgetCaps;
  readonly release?: Release | undefined;
}

/** @param buildEntry the conversation's entry after the write */
const plan = (wish: Wish, buildEntry: (standing: Standing) => Entry): Plan => {
  const { seen, account, cost, caps } = wish;
  const { session } = account;
  const standing = standingOf(seen, account);
  const release = wish.release ?? { entries: [], left: 0 };
  const shares = sharesOf(seen, account, cost);
  const checks = [
    ...shares.map(({ check }) => check),
    ...checksOf(seen, standing, account, cost, caps),
    conversationCheck(seen, account),
  ];
  const over = checks.find(isOver);
  if (over !== undefined) return { kind: 'over', ...over };
  const { usd, tokens } = cost;
  const ownJob = { jobsUsd: usd, ...(standing.entry === undefined ? { jobs: 1 } : {}) };
  const isJob = jobOf(session) !== undefined;
  const isReleasing = release.entries.length > 0;
  return {
    kind: 'fits',
    turnUsd: standing.turnUsd + cost.usd,
    change: {
      set: {
        ...(wish.release === undefined ? {} : { entriesLeft: release.left }),
        schemaVersion: 1,
        [entryName(session)]: storedText(session, buildEntry(standing)),
      },
      ...(isReleasing ? { remove: release.entries.map(({ name }) => name) } : {}),
      add: {
        ...{ usd, tokens, ...addedTo(account.source, cost) },
        ...(isJob ? ownJob : {}),
        ...(isReleasing ? { releases: 1 } : {}),
      },
    },
    condition: {
      name: 'the cost fits under the caps, and the conversation is as read',
      holds: allOf(
        isAsRead(seen, session),
        ...release.entries.map(({ name, stored }) => equals(name, stored)),
        ...(usd > 0 ? [staysUnder('usd', caps.day, usd)] : []),
        ...(tokens > 0 ? [staysUnder('tokens', caps.dayTokens, tokens)] : []),
        ...shares.flatMap(({ attribute, check: { limit, requested } }) =>
          requested > 0 ? [staysUnder(attribute, limit, requested)] : [],
        ),
      ),
    },
  };
};

/** Takes the worst case of a call, which stays open until its cost is known. */
export const planCall = (seen: DaySpend, account: Account, worst: Charge, caps: BudgetCaps, release?: Release): Plan =>
  plan({ seen, account, cost: worst, caps, release }, ({ turnUsd, usd }) => ({
    turn: shortName(account.root),
    turnUsd: turnUsd + worst.usd,
    usd: usd + worst.usd,
    open: { id: shortName(worst.id), usd: worst.usd, tokens: worst.tokens },
  }));

/** Takes the known price of an effect. An open call of the entry stays open. */
export const planEffect = (seen: DaySpend, account: Account, price: number, caps: BudgetCaps): Plan => {
  const wish = { seen, account, cost: { usd: price, tokens: 0 }, caps };
  return plan(wish, ({ entry, isSameTurn, turnUsd, usd }) => {
    // If it was approved after its turn, the turn that runs now keeps its own sum.
    const isOther = entry !== undefined && !isSameTurn;
    return {
      turn: isOther ? entry.turn : shortName(account.root),
      turnUsd: isOther ? entry.turnUsd : turnUsd + price,
      usd: usd + price,
      ...defined({ open: entry?.open }),
    };
  });
};

/** Replaces a call's reservation by its cost; undefined if it is not open any more. */
export const planSettlement = (
  seen: DaySpend,
  { session, source }: Account,
  { id, usd, tokens, savedByTier = 0, savedByCache = 0 }: Charge,
): { readonly change: ItemChange; readonly condition: Condition } | undefined => {
  const stored = storedEntry(seen, session);
  if (stored === undefined) return undefined;
  const { open, ...entry } = parseEntry(stored.text);
  if (open?.id !== shortName(id)) return undefined;
  const correction = { usd: usd - open.usd, tokens: tokens - open.tokens };
  const after: Entry = { ...entry, turnUsd: entry.turnUsd + correction.usd, usd: entry.usd + correction.usd };
  return {
    change: {
      set: { [stored.name]: storedText(session, after) },
      add: {
        ...correction,
        ...addedTo(source, correction),
        ...nonZero({ savedByTier, savedByCache }),
        ...(jobOf(session) === undefined ? {} : { jobsUsd: correction.usd }),
      },
    },
    condition: { name: 'the conversation is as read', holds: equals(stored.name, stored.stored) },
  };
};

const leftUnder = ({ limit, committed }: CapCheck): number => limit - committed;

/** For the budget gate: the cap with the least left. Null if the action is free. */
export const budgetFacts = (
  action: Action,
  sources: {
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
  const checks = checksOf(seen, standingOf(seen, account), account, { usd, tokens: 0 }, caps);
  const [tightest] = checks.filter(({ cap }) => cap !== 'tokens').toSorted((a, b) => leftUnder(a) - leftUnder(b));
  const { cap = 'day', limit = 0, committed = 0 } = tightest ?? {};
  return { cap: cap === 'turn' || cap === 'session' || cap === 'job' ? cap : 'day', limit, committed, requested: usd };
};
