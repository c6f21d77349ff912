/** The texts of subscriptions: fixed texts with names, times and counts filled in. */
import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';
import { buildNotices } from '../../core/judge/notices.ts';
import { forPeople } from '../../core/language/for-people.ts';

const EN = {
  days: DAYS,
  /** A reason as it is stored. */
  stored: forPeople,
  noNews: (word: string, news: string) => `${word} is no kind of news; these are: ${news}, or all`,
  noSubscription: 'No webhook is told my news. To tell one: /hooks subscribe <name> <kinds>',
  toldNone: (target: string) => `${target} is told no news; /hooks subscriptions lists who is`,
  subscription: (target: string, news: string, by: string, at: string, failingSince: string | undefined) =>
    `${target}: ${news} (set by ${by}, ${at})${failingSince === undefined ? '' : `; it has taken nothing since ${failingSince}`}. /hooks deliveries ${target}`,
  ends: {
    waiting: 'waiting',
    suspended: 'suspended',
    claimed: 'claimed',
    done: 'done',
    failed: 'failed',
    unknown: 'unknown',
    refused: 'refused',
  },
  again: (id: string) => ` (to send it again: /why ${id})`,
  nothingTold: 'Nothing was told lately.',
  notConfigured: (target: string) =>
    `no webhook ${target} is configured; WEBHOOK_TARGETS names them (infra/webhooks.md)`,
  ownFields: (target: string, able: string) =>
    `${target} takes fields of its own; news go to a webhook that takes any JSON, or a text: ${able || 'none is configured'}`,
};
export type SubscriptionTexts = typeof EN;

const NOTICES = {
  newsEnded: (target: string) =>
    `The webhook ${target} has taken nothing for a day, so I tell it no more news. Its deliveries: /hooks deliveries ${target}. To begin again: /hooks subscribe ${target} <kinds>`,
  subscribed: (target: string, news: readonly string[]) =>
    news.length === 0
      ? `The webhook ${target} is told no more news.`
      : `The webhook ${target} is told from now on: ${news.join(', ')}. /hooks deliveries ${target} shows what it took.`,
};
export type SubscriptionNotices = typeof NOTICES;

export const subscriptionTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
export const subscriptionNotices = buildNotices(
  textTable(NOTICES, { de: async () => (await import('./texts-german.ts')).NOTICES }),
);
