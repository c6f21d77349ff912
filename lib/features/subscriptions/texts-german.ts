/** The texts of subscriptions in German. */

import { DAYS } from '../../core/base/time-words-german.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import type { SubscriptionNotices, SubscriptionTexts } from './texts.ts';

export const DE: SubscriptionTexts = {
  days: DAYS,
  stored: inGerman,
  noNews: (word, news) => `${word} ist keine Art von Nachrichten; möglich sind: ${news}, oder all`,
  noSubscription: 'Kein Webhook erfährt meine Nachrichten. Einem davon sagen: /hooks subscribe <name> <kinds>',
  toldNone: (target) => `${target} erfährt keine Nachrichten; /hooks subscriptions nennt, wer sie erfährt`,
  subscription: (target, news, by, at, failingSince) =>
    `${target}: ${news} (gesetzt von ${by}, ${at})${failingSince === undefined ? '' : `; er nimmt seit ${failingSince} nichts an`}. /hooks deliveries ${target}`,
  ends: {
    waiting: 'wartet',
    suspended: 'wartet auf ein Ja',
    claimed: 'in Arbeit',
    done: 'erledigt',
    failed: 'gescheitert',
    unknown: 'ungewiss',
    refused: 'abgelehnt',
  },
  again: (id) => ` (noch einmal senden: /why ${id})`,
  nothingTold: 'In letzter Zeit ging nichts hinaus.',
  notConfigured: (target) => `kein Webhook ${target} ist eingerichtet; WEBHOOK_TARGETS nennt sie (infra/webhooks.md)`,
  ownFields: (target, able) =>
    `${target} nimmt eigene Felder; Nachrichten gehen an einen Webhook, der jedes JSON oder einen Text nimmt: ${able || 'keiner ist eingerichtet'}`,
};

export const NOTICES: SubscriptionNotices = {
  newsEnded: (target) =>
    `Der Webhook ${target} hat einen Tag lang nichts angenommen, also bekommt er keine Nachrichten mehr. Was an ihn ging: /hooks deliveries ${target}. Neu beginnen: /hooks subscribe ${target} <kinds>`,
  subscribed: (target, news) =>
    news.length === 0
      ? `Der Webhook ${target} bekommt keine Nachrichten mehr.`
      : `Der Webhook ${target} erfährt von jetzt an: ${news.join(', ')}. /hooks deliveries ${target} zeigt, was er annahm.`,
};
