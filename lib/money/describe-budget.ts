/**
 * The budget in words for people: what is spent, what is left, when it begins anew. Pure; nothing here decides anything.
 */

import { showUsd } from '../base/money.ts';
import { type BudgetCaps, CAP_WORDS, type CapName } from './caps.ts';
import { type DaySpend, dayOf, type HeadSpend, resetsAt, sessionEntry } from './day-spend.ts';
import type { Account, CapCheck } from './plan-reservation.ts';

const clock = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const amount = (cap: CapName, value: number): string => {
  if (cap === 'tokens' || cap === 'conversations') return `${value} ${cap}`;
  return cap === 'quota-tokens' ? `${value} tokens` : showUsd(value);
};

/** `$0.01 of $5.00 is left for today, and this needs up to $0.02`. */
export const describeCap = ({ cap, limit, committed, requested }: CapCheck): string => {
  const left = amount(cap, Math.max(0, limit - committed));
  return `${left} of ${amount(cap, limit)} is left for ${CAP_WORDS[cap]}, and this needs up to ${amount(cap, requested)}`;
};

/** As a card and a list of approvals tell it. */
export const describeCosts = ({ usd, leftUsd }: { readonly usd: number; readonly leftUsd: number }): string =>
  usd === 0 ? 'nothing' : `${showUsd(usd)}; ${showUsd(leftUsd)} is left for today`;

/** When a cap has room again: a task's never, the others' at midnight. */
export const describeReset = (cap: CapName, now: number): string =>
  cap === 'turn' ? 'A new task begins with its own budget.' : `It begins anew at ${clock(resetsAt(now))}.`;

/** What a prompt says of it. */
export const describeLeft = (spend: DaySpend, caps: BudgetCaps, { session, head }: Account): string => {
  const left = (cap: number, spent: number): string => `${showUsd(Math.max(0, cap - spent))} of ${showUsd(cap)}`;
  return `${left(caps.day, spend.usd)} today, ${left(caps.session, sessionEntry(spend, session, head)?.usd ?? 0)} for this conversation`;
};

/** What `/budget` and `passepartout budget` say. @param of adds the conversation asked from */
export const budgetLines = (
  spend: DaySpend,
  caps: BudgetCaps,
  now: number,
  of?: { readonly session: string; readonly head: HeadSpend | undefined },
): readonly string[] => {
  const left = Math.max(0, caps.day - spend.usd);
  const entry = of === undefined ? undefined : sessionEntry(spend, of.session, of.head);
  return [
    `Today (${dayOf(now)}, UTC): ${showUsd(spend.usd)} of ${showUsd(caps.day)} committed, ${showUsd(left)} left.`,
    `Tokens today: ${spend.tokens} of ${caps.dayTokens}.`,
    ...(of === undefined ? [] : [`This conversation today: ${showUsd(entry?.usd ?? 0)} of ${showUsd(caps.session)}.`]),
    ...(entry?.open === undefined
      ? []
      : [`${showUsd(entry.open.usd)} of that is the last call at worst, until the next one settles it.`]),
    `At most ${showUsd(caps.turn)} for one task, ${showUsd(caps.session)} for a conversation and ${showUsd(caps.job)} for a job in a day.`,
    `It begins anew at ${clock(resetsAt(now))}.`,
  ];
};
