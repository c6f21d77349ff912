/**
 * Decides whether a cost fits under every cap, and which write takes it: pure, from the counter as read to one conditional
 * update. The same update settles the conversation's last call where its true cost is known by now, so that settling costs no
 * request of its own; the entry as it was read is part of the condition, so nothing is ever settled twice.
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
  entryName,
  type HeadSpend,
  jobOf,
  parseDaySpend,
  parseEntry,
  sessionEntry,
  shortName,
  storedText,
} from './day-spend.ts';
import type { Release } from './release-entries.ts';

/**
 * Conversations with an entry in the day's counter: one that is left by a crash stays until its
 * conversation spends again.
 */
export const SPENDING_SESSIONS_MAX = 1_500;

/** On whose account it goes. */
export interface Account {
  /**
   * A job's is the session it runs in, `job:<name>`: what that spends counts under the job's cap
   * too.
   */
  readonly session: string;
  /** Root of the turn. */
  readonly root: string;
  /** Micro-dollars the turn had spent as its stored decisions say; counts where another turn has come between. */
  readonly turnUsd: number;
  /**
   * What the conversation's head has of its spending: counts once the entry was released from the
   * day's counter.
   */
  readonly head?: HeadSpend | undefined;
}

/** Plain numbers for gates and notices: micro-dollars, or tokens for the cap in tokens. */
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

interface Sums {
  readonly entry: Entry | undefined;
  /** What settling the open call changes for the conversation. */
  readonly correction: Cost;
  /**
   * The same for the day, nothing if whoever released the entry has settled it; and what that call
   * saved.
   */
  readonly dayCorrection: Cost;
  readonly saved: Readonly<Record<string, number>>;
  readonly isSameTurn: boolean;
  readonly turn: number;
  readonly session: number;
  /** What an earlier release counted for the job apart. */
  readonly earlierJobUsd: number;
}

const NOTHING: Cost = { usd: 0, tokens: 0 };

/**
 * What settling an open call changes, given what calls really cost; undefined if nobody knows what
 * it cost.
 */
export const settle = (
  open: Entry['open'],
  known: readonly Charge[],
): { readonly correction: Cost; readonly saved: Readonly<Record<string, number>> } | undefined => {
  const actual = open === undefined ? undefined : known.find(({ id }) => shortName(id) === open.id);
  if (open === undefined || actual === undefined) return undefined;
  const { savedByTier = 0, savedByCache = 0 } = actual;
  return {
    correction: { usd: actual.usd - open.usd, tokens: actual.tokens - open.tokens },
    saved: { ...(savedByTier > 0 ? { savedByTier } : {}), ...(savedByCache > 0 ? { savedByCache } : {}) },
  };
};

const sumsOf = (seen: DaySpend, account: Account, known: readonly Charge[]): Sums => {
  const isHere = seen.stored(account.session) !== undefined;
  const entry = sessionEntry(seen, account.session, account.head);
  const { correction, saved } = settle(entry?.open, known) ?? { correction: NOTHING, saved: {} };
  const isSameTurn = entry?.turn === shortName(account.root);
  const job = jobOf(account.session);
  return {
    entry,
    correction,
    dayCorrection: isHere ? correction : NOTHING,
    saved: isHere ? saved : {},
    isSameTurn,
    turn: isSameTurn ? Math.max(entry.turnUsd + correction.usd, account.turnUsd) : account.turnUsd,
    session: (entry?.usd ?? 0) + correction.usd,
    earlierJobUsd: job === undefined ? 0 : seen.earlierJobUsd(job),
  };
};

/** Every cap the cost counts against, the narrowest first. */
const checksOf = (seen: DaySpend, sums: Sums, account: Account, cost: Cost, caps: BudgetCaps): readonly CapCheck[] => {
  const money = (cap: CapName, limit: number, committed: number): CapCheck => ({
    cap,
    limit,
    committed,
    requested: cost.usd,
  });
  return [
    money('turn', caps.turn, sums.turn),
    money('session', caps.session, sums.session),
    ...(jobOf(account.session) === undefined ? [] : [money('job', caps.job, sums.session + sums.earlierJobUsd)]),
    money('day', caps.day, seen.usd + sums.dayCorrection.usd),
    {
      cap: 'tokens',
      limit: caps.dayTokens,
      committed: seen.tokens + sums.dayCorrection.tokens,
      requested: cost.tokens,
    },
  ];
};

export interface Cost {
  readonly usd: number;
  readonly tokens: number;
}

/** Entries that nobody may release are left by crashes: the item must not grow without end. */
const conversationCheck = (seen: DaySpend, { session }: Account): CapCheck => ({
  cap: 'conversations',
  limit: SPENDING_SESSIONS_MAX,
  committed: seen.entryCount,
  requested: seen.stored(session) === undefined ? 1 : 0,
});

/** What costs nothing is never over: a space whose money is spent may still use what is free. */
const isOver = ({ limit, committed, requested }: CapCheck): boolean => requested > 0 && committed + requested > limit;

/** The cap that is nearest to its end for this cost, as the gate is told. */
export const tightestCap = (seen: DaySpend, account: Account, cost: Cost, caps: BudgetCaps): CapCheck => {
  const money = checksOf(seen, sumsOf(seen, account, []), account, cost, caps).filter(({ cap }) => cap !== 'tokens');
  const [first, ...rest] = money;
  const left = ({ limit, committed }: CapCheck): number => limit - committed;
  const none: CapCheck = { cap: 'day', limit: 0, committed: 0, requested: cost.usd };
  return rest.reduce((least, check) => (left(check) < left(least) ? check : least), first ?? none);
};

const addUp = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).map(([name, value]) => [name, value + (one[name] ?? 0)])),
});

const atMost =
  (attribute: string, value: number): Predicate =>
  (p) =>
    `${p.name(attribute)} <= ${p.value(value)}`;

const staysUnder = (attribute: string, limit: number, added: number): Predicate =>
  anyOf(absent(attribute), atMost(attribute, limit - added));

/**
 * One who planned without an entry must not write what has come and gone since it read the
 * conversation's head.
 */
const isAsRead = (seen: DaySpend, session: string): Predicate => {
  const here = seen.stored(session);
  if (here !== undefined) return equals(here.name, here.stored);
  return allOf(
    absent(entryName(session)),
    seen.releases === 0 ? absent('releases') : equals('releases', seen.releases),
  );
};

const NO_RELEASE: Release = { entries: [], left: 0, correction: NOTHING, jobsUsd: 0, saved: {} };

const releaseChange = (release: Release | undefined): Pick<Change, 'set' | 'remove' | 'add'> => ({
  ...(release === undefined ? {} : { set: { entriesLeft: release.left } }),
  ...(release === undefined || release.entries.length === 0
    ? {}
    : { remove: release.entries.map(({ name }) => name), add: { releases: 1 } }),
});

const planOf = (
  seen: DaySpend,
  account: Account,
  cost: Cost,
  caps: BudgetCaps,
  known: readonly Charge[],
  entryOf: (sums: Sums) => Entry,
  release?: Release,
): Plan => {
  const sums = sumsOf(seen, account, known);
  const { entries, correction: released, jobsUsd, saved } = release ?? NO_RELEASE;
  const day = { ...seen, usd: seen.usd + released.usd, tokens: seen.tokens + released.tokens };
  const checks = [...checksOf(day, sums, account, cost, caps), conversationCheck(seen, account)];
  const over = checks.find(isOver);
  if (over !== undefined) return { kind: 'over', ...over };
  const usd = cost.usd + sums.dayCorrection.usd;
  const add = { usd: usd + released.usd, tokens: cost.tokens + sums.dayCorrection.tokens + released.tokens };
  const isJob = jobOf(account.session) !== undefined;
  const isFirst = sums.entry === undefined;
  const change = releaseChange(release);
  return {
    kind: 'fits',
    turnUsd: sums.turn + cost.usd,
    change: {
      ...change,
      set: {
        ...change.set,
        schemaVersion: 1,
        [entryName(account.session)]: storedText(account.session, entryOf(sums)),
      },
      add: {
        ...change.add,
        ...add,
        ...addUp(sums.saved, saved),
        ...addUp(isJob ? { jobsUsd: usd, ...(isFirst ? { jobs: 1 } : {}) } : {}, jobsUsd === 0 ? {} : { jobsUsd }),
      },
    },
    condition: {
      name: 'the cost fits under the caps, and the conversation is as read',
      holds: allOf(
        isAsRead(seen, account.session),
        ...entries.map(({ name, stored }) => equals(name, stored)),
        ...(cost.usd > 0 ? [staysUnder('usd', caps.day, add.usd)] : []),
        ...(cost.tokens > 0 ? [staysUnder('tokens', caps.dayTokens, add.tokens)] : []),
      ),
    },
  };
};

/**
 * Reserves a model call at worst; `known` are true costs, of which the open one is settled in the
 * same write.
 * @param release entries of other conversations that leave the item in the same write
 */
export const planCall = (
  seen: DaySpend,
  account: Account,
  worst: Charge,
  caps: BudgetCaps,
  known: readonly Charge[],
  release?: Release,
): Plan =>
  planOf(
    seen,
    account,
    worst,
    caps,
    known,
    (sums) => ({
      turn: shortName(account.root),
      turnUsd: sums.turn + worst.usd,
      usd: sums.session + worst.usd,
      open: { id: shortName(worst.id), usd: worst.usd, tokens: worst.tokens },
    }),
    release,
  );

/**
 * Takes the price of an effect, which is known: nothing is left to settle, and an open call of the
 * item stays open.
 */
export const planEffect = (seen: DaySpend, account: Account, usd: number, caps: BudgetCaps): Plan =>
  planOf(seen, account, { usd, tokens: 0 }, caps, [], ({ entry, isSameTurn, turn, session }) => {
    // An open call that left the item was settled for the day by whoever released it: it must not
    // come back.
    const { open } = seen.stored(account.session) === undefined ? {} : (entry ?? {});
    // Approved after its turn was over: the turn that runs now keeps its own sum.
    const own = entry === undefined || isSameTurn;
    return {
      turn: own ? shortName(account.root) : entry.turn,
      turnUsd: own ? turn + usd : entry.turnUsd,
      usd: session + usd,
      ...defined({ open }),
    };
  });

export interface Settlement {
  readonly change: Change;
  readonly condition: Condition;
}

/** Ends the conversation's open reservation with what the call cost; `undefined` when it is not the open one. */
export const planSettlement = (seen: DaySpend, { session }: Account, actual: Charge): Settlement | undefined => {
  const here = seen.stored(session);
  if (here === undefined) return undefined;
  const { open, ...entry } = parseEntry(here.text);
  const settled = settle(open, [actual]);
  if (settled === undefined) return undefined;
  const { correction } = settled;
  const after: Entry = { ...entry, turnUsd: entry.turnUsd + correction.usd, usd: entry.usd + correction.usd };
  return {
    change: {
      set: { [here.name]: storedText(session, after) },
      add: { ...correction, ...(jobOf(session) === undefined ? {} : { jobsUsd: correction.usd }) },
    },
    condition: { name: 'the conversation is as read', holds: equals(here.name, here.stored) },
  };
};

/** Micro-dollars; 0 for everything no price is configured for. */
export const effectCost = (action: Action, costs: ReadonlyMap<string, number>): number =>
  action.target === 'webhook' ? (costs.get(action.to ?? '') ?? 0) : 0;

/** Null for what costs nothing. @param item the day's counter as it was read */
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
  const { cap, limit, committed, requested } = tightestCap(
    parseDaySpend(sources.item),
    sources.account,
    { usd, tokens: 0 },
    sources.caps,
  );
  return { cap: cap === 'turn' || cap === 'session' || cap === 'job' ? cap : 'day', limit, committed, requested };
};
