/** The answers to the verbs of webhooks: fixed texts with names, times and counts filled in. */

import { textTable } from '../../base/language.ts';
import { DAYS } from '../../jobs/time-words.ts';
import { refusalTexts } from '../../language/refusal-texts.ts';
import { NO_SUCH_NAME } from '../../ledger/unproven-requests.ts';
import { countWords } from '../../text/quoted.ts';

const EN = {
  days: DAYS,
  /** A reason as it is stored. */
  stored: (text: string): string => text,
  refusals: refusalTexts.en,
  mends: {
    secret: 'compare its secret and its scheme (infra/webhooks.md)',
    body: 'mend it at the sender, which was told the same',
    time: 'set the clock of this machine and of the sender; five minutes are allowed',
    name: 'compare the end of its address with the names in WEBHOOK_SECRETS (infra/webhooks.md)',
  },
  none: 'No service has sent an event lately. One is connected by: npx passepartout hooks add; and tried by: npx passepartout hooks test <name>',
  states: {
    received: 'received',
    perceived: 'perceived',
    reasoned: 'reasoned',
    suspended: 'suspended',
    acted: 'acted',
    refused: 'refused',
    dropped: 'dropped',
    'dead-lettered': 'dead-lettered',
  },
  today: (name: string, count: number, event: string, at: string, id: string) =>
    `${name}: ${countWords(count, 'event')} today, the last ${event}, ${at} (/hooks show ${id})`,
  refused: (name: string, count: number, because: string, mend: string) =>
    `${name}: ${countWords(count, 'request')} refused today, the last because ${because}: ${mend}`,
  otherNames: NO_SUCH_NAME,
  cut: '…(cut)',
  noNews: (word: string, news: string) => `${word} is no kind of news; these are: ${news}, or all`,
  noSubscription: 'No webhook is told my news. To tell one: /hooks subscribe <name> <kinds>',
  toldNone: (target: string) => `${target} is told no news; /hooks subscriptions lists who is`,
  connect: (command: string) =>
    `A secret must not pass through a chat, so a service is connected where I run: ${command}`,
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
  noPath: (words: string) => `${words} is no path: write {{ and }} around one such as alert.name`,
  nothing: 'Nothing: the body would be shown.',
  forgotten: 'the words of that event were forgotten',
  noEvent: 'there is no such event; /hooks events lists the newest',
  several: 'several events begin so: write more of the id',
};
export type EventAnswers = typeof EN;

export const eventAnswers = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
