/** The answers to the verbs of webhooks: fixed texts with names, times and counts filled in. */

import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';
import { forPeople } from '../../core/language/for-people.ts';
import { countWords } from '../../core/text/quoted.ts';
import { refusalTexts } from '../webhooks/refusal-texts.ts';
import { NO_SUCH_NAME } from '../webhooks/unproven-requests.ts';

const EN = {
  days: DAYS,
  /** A reason as it is stored. */
  stored: forPeople,
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
  connect: (command: string) =>
    `A secret must not pass through a chat, so a service is connected where I run: ${command}`,
  noPath: (words: string) => `${words} is no path: write {{ and }} around one such as alert.name`,
  nothing: 'Nothing: the body would be shown.',
  forgotten: 'the words of that event were forgotten',
  noEvent: 'there is no such event; /hooks events lists the newest',
  several: 'several events begin so: write more of the id',
};
export type EventAnswers = typeof EN;

export const eventAnswers = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
