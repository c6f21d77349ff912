/** The budget that is left, in the words of each prompt. Pure. */
import { showUsd } from '../base/money.ts';
import type { BudgetCaps } from './caps.ts';
import { type DaySpend, sessionEntry } from './day-spend.ts';
import type { Account } from './plan-reservation.ts';

export const describeLeft = (spend: DaySpend, caps: BudgetCaps, { session, head }: Account): string => {
  const left = (cap: number, spent: number): string => `${showUsd(Math.max(0, cap - spent))} of ${showUsd(cap)}`;
  return `${left(caps.day, spend.usd)} today, ${left(caps.session, sessionEntry(spend, session, head)?.usd ?? 0)} for this conversation`;
};
