/** The answers to the verbs of webhooks in German. */

import { DAYS } from '../../core/base/time-words-german.ts';
import { inGerman } from '../../core/language/stored-german.ts';
import { DE as REFUSALS } from '../webhooks/refusal-texts-german.ts';
import type { EventAnswers } from './texts.ts';

export const DE: EventAnswers = {
  days: DAYS,
  stored: inGerman,
  refusals: REFUSALS,
  mends: {
    secret: 'sein Geheimnis und sein Verfahren vergleichen (infra/webhooks.md)',
    body: 'beim Absender beheben, dem dasselbe gesagt wurde',
    time: 'die Uhr dieses Rechners und die des Absenders stellen; fünf Minuten sind erlaubt',
    name: 'das Ende seiner Adresse mit den Namen in WEBHOOK_SECRETS vergleichen (infra/webhooks.md)',
  },
  none: 'Kein Dienst hat in letzter Zeit ein Ereignis gesendet. Einen verbinden: npx passepartout hooks add; und proben: npx passepartout hooks test <name>',
  states: {
    received: 'angekommen',
    perceived: 'gelesen',
    reasoned: 'entschieden',
    suspended: 'wartet auf ein Ja',
    acted: 'erledigt',
    refused: 'abgelehnt',
    dropped: 'verworfen',
    'dead-lettered': 'aufgegeben',
  },
  today: (name, count, event, at, id) =>
    `${name}: heute ${count} ${count === 1 ? 'Ereignis' : 'Ereignisse'}, zuletzt ${event}, ${at} (/hooks show ${id})`,
  refused: (name, count, because, mend) =>
    `${name}: heute ${count} ${count === 1 ? 'Anfrage' : 'Anfragen'} abgelehnt, zuletzt wegen: ${because}; Abhilfe: ${mend}`,
  otherNames: '(andere Namen)',
  cut: '…(gekürzt)',
  connect: (command) =>
    `Ein Geheimnis darf nicht durch einen Chat gehen, also wird ein Dienst dort verbunden, wo ich laufe: ${command}`,
  noPath: (words) => `${words} ist kein Pfad: {{ und }} gehören um einen wie alert.name`,
  nothing: 'Nichts: Der Inhalt würde gezeigt.',
  forgotten: 'die Worte dieses Ereignisses wurden gelöscht',
  noEvent: 'es gibt kein solches Ereignis; /hooks events nennt die neuesten',
  several: 'mehrere Ereignisse beginnen so: mehr von der Kennung schreiben',
};
