/**
 * Other systems that hear what happens here (`/hooks subscribe`): names of configured webhooks, and
 * the kinds of news that each gets. Fields of the owner's settings, which each turn has read. Pure.
 */

import type { OwnerSettings } from '../../core/ledger/owner-settings.ts';
import { shortName } from '../../core/money/day-spend.ts';

export const NEWS = [
  'approval.waiting',
  'effect.failed',
  'effect.unknown',
  'job.missed',
  'budget.met',
  'decision.stored',
  'runner.lost',
] as const;
export type News = (typeof NEWS)[number];

/** Ends the id of such a signal. */
export const newsSuffix = (target: string, news: News, n: number): string =>
  `hook${shortName(`${target} ${news} ${n}`).slice(0, 8)}`;
export const isNewsId = (id: string): boolean => /\/hook[0-9a-f]{8}$/.test(id);
/** One piece of news after the other, and beside every conversation. */
export const newsSession = (target: string): string => `hook:${target}`;

const PREFIX = 'hook.';
export const subscriptionField = (target: string): string => `${PREFIX}${target}`;

export interface Subscription {
  readonly target: string;
  readonly news: readonly News[];
  readonly by: string;
  readonly at: number;
}

/** An unreadable record has none. */
export const subscriptionsIn = (settings: OwnerSettings | undefined): readonly Subscription[] =>
  Object.entries(settings?.fields ?? {}).flatMap(([field, { value, by, at }]) => {
    if (!field.startsWith(PREFIX) || value === '') return [];
    const words = value.split(',');
    return [{ target: field.slice(PREFIX.length), news: NEWS.filter((one) => words.includes(one)), by, at }];
  });

/** The row that counts the deliveries to a webhook. */
export const deliveriesKey = (space: string, target: string) => ({ pk: `session#${space}#hooks`, sk: target });
