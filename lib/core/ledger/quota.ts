/**
 * Quotas for each UTC day of a person without rights, of a conversation of such people, and of a
 * source, so that none of them uses up what others need. The table is `QUOTAS`. The owner is not
 * counted. Each account is one item, raised by conditional writes and deleted after its day.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { ConditionError, ContendedError, UnavailableError } from '../base/errors.ts';
import { CONFLICT_TRIES_MAX, QUOTAS } from '../base/limits.ts';
import { type Finding, finding } from '../language/finding.ts';
import type { BudgetCaps } from '../money/caps.ts';
import { dayOf, resetsAt } from '../money/day-spend.ts';
import type { Account } from '../money/plan-reservation.ts';
import { sendsMessages } from '../signal/channels.ts';
import type { Signal } from '../signal/signal.ts';
import { absent, allOf, anyOf, atMost, type Condition, type Predicate } from '../store/condition.ts';
import type { Key } from '../store/keys.ts';
import { type Item, isItem, type Table, type Write } from '../store/table.ts';
import { standingOf } from './standing.ts';

/** Share of money, tokens, approvals and a full mailbox that only the owner can use up. */
const RESERVE_PERCENT = 20;

export interface QuotaAccount {
  readonly kind: keyof typeof QUOTAS;
  readonly name: string;
}

/** Counted for each day; `usd` in micro-dollars. */
const COUNTED = ['messages', 'stops', 'notes', 'usd', 'tokens'] as const;
export type Counted = (typeof COUNTED)[number];
export type Amounts = Partial<Readonly<Record<Counted, number>>>;

type Root = Pick<Signal, 'source' | 'sender' | 'session'>;

/** True if a turn may spend the owner's share. @param root what began the turn */
export const mayUseReserve = (root: Pick<Root, 'source' | 'sender'>): boolean => standingOf(root) !== 'anyone';

/** Accounts that a turn is counted on; none for the owner and the program itself. */
export const accountsOf = (root: Root): readonly QuotaAccount[] => {
  if (mayUseReserve(root) || root.sender.id === 'system') return [];
  if (!sendsMessages(root.source)) return [{ kind: 'source', name: root.sender.id }];
  return [
    { kind: 'person', name: root.sender.id },
    // Topics of a group share its quota: a member may open as many as they like.
    { kind: 'conversation', name: root.session.split(':', 2).join(':') },
  ];
};

export const withoutReserve = (whole: number): number => Math.floor((whole * (100 - RESERVE_PERCENT)) / 100);

/** The caps for turns of people other than the owner. */
export const capsWithoutReserve = (caps: BudgetCaps): BudgetCaps => ({
  ...caps,
  day: withoutReserve(caps.day),
  dayTokens: withoutReserve(caps.dayTokens),
});

export const capsOf = (
  turn: { readonly mayUseReserve: boolean; readonly jobUsdMax?: number },
  caps: BudgetCaps,
): BudgetCaps => {
  const shared = turn.mayUseReserve ? caps : capsWithoutReserve(caps);
  return { ...shared, job: Math.min(shared.job, turn.jobUsdMax ?? shared.job) };
};

/** @param caps needed for money and tokens only */
export const limitOf = ({ kind }: QuotaAccount, what: Counted, caps?: BudgetCaps): number => {
  const { sharePercent } = QUOTAS[kind];
  switch (what) {
    case 'usd':
      return Math.floor(((caps?.day ?? 0) * sharePercent) / 100);
    case 'tokens':
      return Math.floor(((caps?.dayTokens ?? 0) * sharePercent) / 100);
    default:
      return QUOTAS[kind][what];
  }
};

const DAY_S = 24 * 60 * 60;

export const quotaKey = (space: string, { kind, name }: QuotaAccount, now: number): Key => ({
  pk: `quota#${space}#${dayOf(now)}#${kind}#${name}`,
  sk: 'day',
});

/** Set by every change; the item expires after its day. */
export const quotaItemFields = (now: number) => ({
  schemaVersion: 1,
  expiresAt: Math.ceil(resetsAt(now) / 1000) + DAY_S,
});

const Counts = z.object({
  messages: z._default(z.int(), 0),
  stops: z._default(z.int(), 0),
  notes: z._default(z.int(), 0),
  usd: z._default(z.int(), 0),
  tokens: z._default(z.int(), 0),
});

/** An unreadable item counts as full. */
export const countOf = (item: Item | undefined, what: Counted): number => {
  const parsed = Counts.safeParse(item ?? {});
  return parsed.success ? parsed.data[what] : Number.POSITIVE_INFINITY;
};

/** Raises one account if each amount fits. */
export const takeWrite = (
  space: string,
  account: QuotaAccount,
  amounts: Amounts,
  now: number,
  caps?: BudgetCaps,
): Extract<Write, { kind: 'update' }> & { readonly condition: Condition } => {
  const rooms = COUNTED.flatMap((what): readonly Predicate[] => {
    const amount = amounts[what];
    if (amount === undefined) return [];
    const most = limitOf(account, what, caps) - amount;
    const fits = anyOf(...(most < 0 ? [] : [absent(what)]), atMost(what, most));
    return [fits];
  });
  return {
    kind: 'update',
    key: quotaKey(space, account, now),
    change: { set: quotaItemFields(now), add: { ...amounts } },
    condition: {
      name: quotaName(account),
      holds: allOf(...rooms),
    },
  };
};

/** Gives back amounts that were not used. A process that dies before leaves them taken. */
const returnChange = (amounts: Amounts, now: number) => ({
  set: quotaItemFields(now),
  add: Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [what, -amount])),
});

/** Counts a refusal; the first refused signal is told. */
export const refusedChange = (id: string, what: string, now: number) => ({
  set: quotaItemFields(now),
  setOnce: { [`told_${what}`]: id },
  add: { refused: 1 },
});

const wasFirstRefused = (item: Item, id: string, what: string): boolean => item[`told_${what}`] === id;

const quotaName = ({ kind, name }: QuotaAccount): string => `the quota of the ${kind} ${name} has room`;

/** Longest wait after the first lost race; doubled for each further one, drawn at random. */
const CONFLICT_WAIT_MS = 10;

const isConflict = (error: unknown): boolean => error instanceof ContendedError;

/** Transactions on one item cancel each other: tried again. @param isLost further such errors */
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

/** The account that a failed condition names. */
export const fullAccount = (error: unknown, accounts: readonly QuotaAccount[]): QuotaAccount | undefined =>
  error instanceof ConditionError ? accounts.find((account) => quotaName(account) === error.condition) : undefined;

const isNoSource = ({ kind }: QuotaAccount): boolean => kind !== 'source';

/** The spending of a source is counted with the day's, in the same write. */
export const accountIn = (
  { account, quotas }: { readonly account: Account; readonly quotas: readonly QuotaAccount[] },
  caps: BudgetCaps,
): Account => {
  const source = quotas.find((one) => !isNoSource(one));
  if (source === undefined) return account;
  const { name } = source;
  return {
    ...account,
    source: { name, usd: limitOf(source, 'usd', caps), tokens: limitOf(source, 'tokens', caps) },
  };
};

/** A bound without room: micro-dollars, or tokens. */
export interface FullQuota {
  readonly what: 'usd' | 'tokens';
  readonly committed: number;
  readonly limit: number;
  readonly requested: number;
}

/** Takes the worst case from all accounts but sources, or from none. @returns the full bound */
export const takeSpending = async (
  table: Pick<Table, 'transact'>,
  space: string,
  accounts: readonly QuotaAccount[],
  amounts: { readonly usd: number; readonly tokens: number },
  caps: BudgetCaps,
  now: number,
): Promise<FullQuota | undefined> => {
  const { usd, tokens } = amounts;
  const writes = accounts.filter(isNoSource).map((account) => takeWrite(space, account, { usd, tokens }, now, caps));
  if (writes.length === 0) return undefined;
  try {
    await retryConflicts(() => table.transact(writes));
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

/** Gives back to each account. A paid answer is not lost if the table does not answer. */
export const returnSpending = async (
  table: Pick<Table, 'update'>,
  space: string,
  accounts: readonly QuotaAccount[],
  amounts: Amounts,
  now: number,
): Promise<void> => {
  try {
    for (const account of accounts.filter(isNoSource))
      await table.update(quotaKey(space, account, now), returnChange(amounts, now));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
};

/** Counts a refusal. @returns true for the account's first of the day: only that one is told */
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

/** Sources of webhooks whose events were refused today. @param senders ids of those heard lately */
export const findRefusedSources = async (
  table: Pick<Table, 'load'>,
  space: string,
  senders: readonly string[],
  now: number,
): Promise<readonly Finding[]> => {
  const names = [...new Set(senders)];
  if (names.length === 0) return [];
  const items = await table.load(names.map((name) => quotaKey(space, { kind: 'source', name }, now)));
  return items.flatMap((item, n) => {
    const refused = Number(item?.refused ?? 0);
    if (refused === 0) return [];
    return [finding('source', (names[n] ?? '').replace(/^webhook:/, ''), refused)];
  });
};
