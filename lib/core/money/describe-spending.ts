/**
 * The budget and the costs of language models in words for people: days from the day's counters, a
 * conversation or job from its head, models from the attempts of a conversation's last tasks.
 * Savings count as far as calls are settled; reservations count as spent. Pure.
 */

import { showUsd } from '../base/money.ts';
import { utcMinute } from '../base/utc-minute.ts';
import type { Attempt } from '../signal/decision.ts';
import { type BudgetCaps, CAP_SETTINGS, CAP_WORDS, type CapName } from './caps.ts';
import { type DaySpend, dayOf, type HeadSpend, resetsAt, sessionEntry } from './day-spend.ts';
import type { CapCheck } from './plan-reservation.ts';
import type { SpendingTexts } from './spending-words.ts';

/** Micro-dollars and tokens. */
export interface CostSums {
  readonly usd: number;
  readonly tokens: number;
  readonly savedByTier: number;
  readonly savedByCache: number;
}

export interface ModelCost extends CostSums {
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  /** The part of these tokens that came from the provider's cache. */
  readonly cachedTokens: number;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

export const sumCosts = (sums: readonly CostSums[]): CostSums => ({
  usd: sumOf(sums.map(({ usd }) => usd)),
  tokens: sumOf(sums.map(({ tokens }) => tokens)),
  savedByTier: sumOf(sums.map(({ savedByTier }) => savedByTier)),
  savedByCache: sumOf(sums.map(({ savedByCache }) => savedByCache)),
});

const NO_COSTS: CostSums = { usd: 0, tokens: 0, savedByTier: 0, savedByCache: 0 };

const costOf = ({ cost }: Attempt): CostSums => ({
  usd: cost?.usd ?? 0,
  tokens: cost?.tokens ?? 0,
  savedByTier: cost?.savedByTier ?? 0,
  savedByCache: cost?.savedByCache ?? 0,
});

/** @param attempts of one provider and model */
const sumAttempts = ([first, ...rest]: readonly Attempt[]): readonly ModelCost[] => {
  if (first === undefined) return [];
  const { provider, model } = first;
  const attempts = [first, ...rest];
  const inputTokens = sumOf(attempts.map((attempt) => attempt.inputTokens ?? 0));
  const cachedTokens = sumOf(attempts.map((attempt) => attempt.cachedTokens ?? 0));
  const sums = sumCosts(attempts.map(costOf));
  return [{ provider, model, calls: attempts.length, inputTokens, cachedTokens, ...sums }];
};

/** By the provider and model that answered, the most expensive first. */
export const costsByModel = (attempts: readonly Attempt[]): readonly ModelCost[] =>
  [...Map.groupBy(attempts, ({ provider, model }) => `${provider}\n${model}`).values()]
    .flatMap(sumAttempts)
    .sort((a, b) => b.usd - a.usd || b.tokens - a.tokens);

const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`;

/** The shares are of the cost without savings. */
const savedLine = ({ usd, savedByTier, savedByCache }: CostSums, say: SpendingTexts): string => {
  const whole = usd + savedByTier + savedByCache;
  const share = (part: number): string => `${showUsd(part)} (${percent(part, whole)})`;
  return say.saved(share(savedByTier), share(savedByCache));
};

/** @param days newest first */
export const dayCostLines = (
  days: readonly { readonly at: number; readonly spend: DaySpend }[],
  say: SpendingTexts,
): readonly string[] => {
  const lines = days.map(({ at, spend }) => say.day(dayOf(at), showUsd(spend.usd), spend.tokens));
  const all = sumCosts(days.map(({ spend }) => spend));
  const total = days.length > 1 ? [say.day(say.allDays(days.length), showUsd(all.usd), all.tokens)] : [];
  return [...lines, ...total, savedLine(all, say)];
};

/** A conversation's spending, in micro-dollars. */
export interface Spent {
  readonly todayUsd: number;
  readonly allUsd: number;
  /** `2026-11-22` */
  readonly since: string;
}

/** All jobs of a week together; only their money is counted. @param days newest first */
export const jobsCosts = (
  days: readonly { readonly at: number; readonly spend: DaySpend }[],
  say: SpendingTexts,
): CostSums & { readonly lines: readonly string[] } => {
  const spent = days.map(({ at, spend }) => ({ at, usd: spend.jobsUsd }));
  const usd = sumOf(spent.map((day) => day.usd));
  const count = days[0]?.spend.jobCount ?? 0;
  return {
    lines: [
      say.jobsToday(count, showUsd(spent[0]?.usd ?? 0)),
      ...spent.slice(1).flatMap((day) => (day.usd === 0 ? [] : [`${dayOf(day.at)}: ${showUsd(day.usd)}`])),
      `${say.allDays(days.length)}: ${showUsd(usd)}`,
    ],
    ...NO_COSTS,
    usd,
  };
};

/** A job's conversation is its own. */
export const jobCosts = (
  job: string,
  spent: Spent,
  say: SpendingTexts,
): CostSums & { readonly lines: readonly string[] } => ({
  lines: [say.jobToday(job, showUsd(spent.todayUsd)), say.jobSince(spent.since, showUsd(spent.allUsd))],
  ...NO_COSTS,
  usd: spent.allUsd,
});

export interface SessionCost extends Spent {
  /** Tasks listed by model, and their first call; undefined if nobody was asked. */
  readonly turns: number;
  readonly from: number | undefined;
  readonly models: readonly ModelCost[];
}

export const sessionCostLines = (cost: SessionCost, say: SpendingTexts): readonly string[] => {
  const { todayUsd, allUsd, since, turns, from, models } = cost;
  return [
    say.session(showUsd(todayUsd), since, showUsd(allUsd), turns, from === undefined ? undefined : utcMinute(from)),
    ...models.map(({ provider, model, calls, inputTokens, cachedTokens, tokens, usd }) =>
      say.model(`${provider}/${model}`, calls, tokens, percent(cachedTokens, inputTokens), showUsd(usd)),
    ),
    savedLine(sumCosts(models), say),
  ];
};

const amount = (cap: CapName, value: number): string => {
  if (cap === 'tokens' || cap === 'conversations') return `${value} ${cap}`;
  return cap === 'quota-tokens' ? `${value} tokens` : showUsd(value);
};

/** `$0.01 of $5.00 is left for today, and this needs up to $0.02`. */
export const describeCap = ({ cap, limit, committed, requested }: CapCheck): string => {
  const left = amount(cap, Math.max(0, limit - committed));
  const are = cap.endsWith('tokens') ? 'are' : 'is';
  return `${left} of ${amount(cap, limit)} ${are} left for ${CAP_WORDS[cap]}, and this needs up to ${amount(cap, requested)}`;
};

/** Describes a price for a card and for a list of approvals. */
export const describeCosts = ({ usd, leftUsd }: { readonly usd: number; readonly leftUsd: number }): string =>
  usd === 0 ? 'nothing' : `${showUsd(usd)}; ${showUsd(leftUsd)} is left for today`;

/**
 * When a cap has room again: a task's never, the others' at midnight UTC. One that is too small for
 * a single question never has; only the owner hears its name.
 */
export const describeReset = ({ cap, limit, requested }: CapCheck, now: number, isToOwner: boolean): string => {
  const setting = CAP_SETTINGS[cap];
  if (setting !== undefined && requested > limit)
    return isToOwner
      ? `The whole cap is smaller than one question may cost: /config set ${setting} <usd> raises it.`
      : 'Only the owner can mend that.';
  return cap === 'turn' ? 'A new task begins with its own budget.' : `It begins anew at ${utcMinute(resetsAt(now))}.`;
};

/** For `/budget` and `npx passepartout budget`. @param of the conversation it is asked from */
export const budgetLines = (
  spend: DaySpend,
  caps: BudgetCaps,
  now: number,
  { session, head }: { readonly session: string; readonly head: HeadSpend | undefined },
  say: SpendingTexts,
): readonly string[] => {
  const left = Math.max(0, caps.day - spend.usd);
  const entry = sessionEntry(spend, session, head);
  return [
    say.today(dayOf(now), showUsd(spend.usd), showUsd(caps.day), showUsd(left)),
    say.tokensToday(spend.tokens, caps.dayTokens),
    say.sessionToday(showUsd(entry?.usd ?? 0), showUsd(caps.session)),
    ...(entry?.open === undefined ? [] : [say.open(showUsd(entry.open.usd))]),
    say.caps(showUsd(caps.turn), showUsd(caps.session), showUsd(caps.job)),
    say.resets(utcMinute(resetsAt(now))),
  ];
};
