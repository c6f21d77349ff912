/** The answers to the verbs of webhooks in German. */
import { DE as JOBS } from '../../jobs/texts-german.ts';
import { DE as REFUSALS } from '../../language/refusal-texts-german.ts';
import { inGerman } from '../../language/stored-german.ts';
import type { EventAnswers } from './texts.ts';

export const DE: EventAnswers = {
  days: JOBS.days,
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
  noNews: (word, news) => `${word} ist keine Art von Nachrichten; möglich sind: ${news}, oder all`,
  noSubscription: 'Kein Webhook erfährt meine Nachrichten. Einem davon sagen: /hooks subscribe <name> <kinds>',
  toldNone: (target) => `${target} erfährt keine Nachrichten; /hooks subscriptions nennt, wer sie erfährt`,
  connect: (command) =>
    `Ein Geheimnis darf nicht durch einen Chat gehen, also wird ein Dienst dort verbunden, wo ich laufe: ${command}`,
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
  noPath: (words) => `${words} ist kein Pfad: {{ und }} gehören um einen wie alert.name`,
  nothing: 'Nichts: Der Inhalt würde gezeigt.',
  forgotten: 'die Worte dieses Ereignisses wurden gelöscht',
  noEvent: 'es gibt kein solches Ereignis; /hooks events nennt die neuesten',
  several: 'mehrere Ereignisse beginnen so: mehr von der Kennung schreiben',
};
