/**
 * Decides whether a cost fits under every cap, and which write takes it: pure, from the counter as read to one conditional
 * update. The same update settles the conversation's last call where its true cost is known by now, so that settling costs no
 * request of its own; the entry as it was read is part of the condition, so nothing is ever settled twice.
 */
import { absent, allOf, anyOf, type Change, type Condition, equals, type Predicate } from '../aws/condition.ts';
import { SPENDING_SESSIONS_MAX } from '../limits.ts';
import type { BudgetCaps, CapName } from './caps.ts';
import { type Charge, type DaySpend, type Entry, entryName, jobName, shortName } from './day-spend.ts';

/** On whose account it goes. */
export interface Account {
  readonly session: string;
  /** Root of the turn. */
  readonly root: string;
  /** Micro-dollars the turn had spent as its stored decisions say; counts where another turn has come between. */
  readonly turnUsd: number;
  /** The job that started the turn, where one did. */
  readonly job?: string;
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
  readonly correction: Cost;
  /** What the settled call saved, for the day's sums. */
  readonly saved: Readonly<Record<string, number>>;
  /** The part of it that is the account's job's. */
  readonly jobCorrection: number;
  readonly isSameTurn: boolean;
  readonly turn: number;
  readonly session: number;
  readonly job: number;
}

const NOTHING: Cost = { usd: 0, tokens: 0 };

const savedOf = (settled: Charge | undefined): Readonly<Record<string, number>> => {
  const { savedByTier = 0, savedByCache = 0 } = settled ?? {};
  return { ...(savedByTier > 0 ? { savedByTier } : {}), ...(savedByCache > 0 ? { savedByCache } : {}) };
};

const sumsOf = (seen: DaySpend, account: Account, known: readonly Charge[]): Sums => {
  const entry = seen.entry(account.session);
  const open = entry?.open;
  const settled = open === undefined ? undefined : known.find(({ id }) => id === open.id);
  const correction =
    open === undefined || settled === undefined
      ? NOTHING
      : { usd: settled.usd - open.usd, tokens: settled.tokens - open.tokens };
  const isSameTurn = entry?.turn === shortName(account.root);
  const isSameJob = account.job !== undefined && entry?.openJob === jobName(account.job);
  const jobCorrection = isSameJob ? correction.usd : 0;
  return {
    entry,
    correction,
    saved: savedOf(settled),
    jobCorrection,
    isSameTurn,
    turn: isSameTurn ? Math.max(entry.turnUsd + correction.usd, account.turnUsd) : account.turnUsd,
    session: (entry?.usd ?? 0) + correction.usd,
    job: account.job === undefined ? 0 : seen.jobUsd(account.job) + jobCorrection,
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
    ...(account.job === undefined ? [] : [money('job', caps.job, sums.job)]),
    money('day', caps.day, seen.usd + sums.correction.usd),
    { cap: 'tokens', limit: caps.dayTokens, committed: seen.tokens + sums.correction.tokens, requested: cost.tokens },
  ];
};

export interface Cost {
  readonly usd: number;
  readonly tokens: number;
}

/** Everything that is counted is one item: it must not grow without end. */
const conversationCheck = (seen: DaySpend, { session }: Account): CapCheck => ({
  cap: 'conversations',
  limit: SPENDING_SESSIONS_MAX,
  committed: seen.entryCount,
  requested: seen.entryText(session) === undefined ? 1 : 0,
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

const atMost =
  (attribute: string, value: number): Predicate =>
  (p) =>
    `${p.name(attribute)} <= ${p.value(value)}`;

const staysUnder = (attribute: string, limit: number, added: number): Predicate =>
  anyOf(absent(attribute), atMost(attribute, limit - added));

const planOf = (
  seen: DaySpend,
  account: Account,
  cost: Cost,
  caps: BudgetCaps,
  known: readonly Charge[],
  entryOf: (sums: Sums) => Entry,
): Plan => {
  const sums = sumsOf(seen, account, known);
  const checks = [...checksOf(seen, sums, account, cost, caps), conversationCheck(seen, account)];
  const over = checks.find(isOver);
  if (over !== undefined) return { kind: 'over', ...over };
  const name = entryName(account.session);
  const before = seen.entryText(account.session);
  const usd = cost.usd + sums.correction.usd;
  const tokens = cost.tokens + sums.correction.tokens;
  const jobUsd = cost.usd + sums.jobCorrection;
  const job = account.job === undefined ? undefined : jobName(account.job);
  return {
    kind: 'fits',
    turnUsd: sums.turn + cost.usd,
    change: {
      set: { schemaVersion: 1, [name]: JSON.stringify(entryOf(sums)) },
      add: { usd, tokens, ...sums.saved, ...(job === undefined ? {} : { [job]: jobUsd }) },
    },
    condition: {
      name: 'the cost fits under the caps, and the conversation is as read',
      holds: allOf(
        before === undefined ? absent(name) : equals(name, before),
        ...(cost.usd > 0 ? [staysUnder('usd', caps.day, usd)] : []),
        ...(cost.tokens > 0 ? [staysUnder('tokens', caps.dayTokens, tokens)] : []),
        ...(cost.usd > 0 && job !== undefined ? [staysUnder(job, caps.job, jobUsd)] : []),
      ),
    },
  };
};

/** Reserves a model call at worst; `known` are true costs, of which the open one is settled in the same write. */
export const planCall = (
  seen: DaySpend,
  account: Account,
  worst: Charge,
  caps: BudgetCaps,
  known: readonly Charge[],
): Plan =>
  planOf(seen, account, worst, caps, known, (sums) => ({
    turn: shortName(account.root),
    turnUsd: sums.turn + worst.usd,
    usd: sums.session + worst.usd,
    open: worst,
    ...(account.job === undefined ? {} : { openJob: jobName(account.job) }),
  }));

/** Takes the price of an effect, which is known: nothing is left to settle, and an open call stays open. */
export const planEffect = (seen: DaySpend, account: Account, usd: number, caps: BudgetCaps): Plan =>
  planOf(seen, account, { usd, tokens: 0 }, caps, [], ({ entry, isSameTurn, turn, session }) =>
    // Approved after its turn was over: the turn that runs now keeps its own sum.
    entry === undefined || isSameTurn
      ? { ...entry, turn: shortName(account.root), turnUsd: turn + usd, usd: session + usd }
      : { ...entry, usd: session + usd },
  );

export interface Settlement {
  readonly change: Change;
  readonly condition: Condition;
}

/** Ends the conversation's open reservation with what the call cost; `undefined` when it is not the open one. */
export const planSettlement = (seen: DaySpend, account: Account, actual: Charge): Settlement | undefined => {
  const before = seen.entryText(account.session);
  const { entry, correction, jobCorrection } = sumsOf(seen, account, [actual]);
  if (entry?.open?.id !== actual.id || before === undefined) return undefined;
  const { open: _settled, openJob: _job, ...rest } = entry;
  const after: Entry = { ...rest, turnUsd: entry.turnUsd + correction.usd, usd: entry.usd + correction.usd };
  const name = entryName(account.session);
  return {
    change: {
      set: { [name]: JSON.stringify(after) },
      add: { ...correction, ...(account.job === undefined ? {} : { [jobName(account.job)]: jobCorrection }) },
    },
    condition: { name: 'the conversation is as read', holds: equals(name, before) },
  };
};
