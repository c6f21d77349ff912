/** Pages of the manual: events of services. */
import type { ManualPage } from '../manual-pages.ts';

export const EVENT_PAGES: readonly ManualPage[] = [
  {
    title: 'Be told of events of another service, such as GitHub or Stripe',
    german: 'Von Ereignissen eines anderen Dienstes erfahren, etwa GitHub, GitLab, Stripe, Slack oder Grafana',
    words:
      'incoming webhook connect subscribe notify notification hear pull request issue commit push payment alert monitoring repository integrate link receive ' +
      'eingehend verbinden abonnieren benachrichtigen Benachrichtigung mitbekommen melden Zahlung Alarm Überwachung anbinden empfangen server disk full down ci build failed order shop sensor door shout Bestellung Server voll Bau fehlgeschlagen Sensor rufen',
    verbs: ['hooks add'],
    steps: [
      [
        'npx passepartout hooks add github',
        'prints the address and the secret, and where both go at the service',
        'gibt Adresse und Geheimnis aus, und wohin beide beim Dienst gehören',
      ],
    ],
    see: 'infra/webhooks.md',
  },
  {
    title: 'See the events of services, and let one come once more',
    german: 'Die Ereignisse von Diensten sehen, und eines noch einmal kommen lassen',
    words:
      'webhook arrived received refused rejected missing nothing comes debug replay resend repeat test body payload ' +
      'angekommen empfangen abgelehnt fehlt kommt nichts wiederholen erneut testen Inhalt',
    verbs: ['hooks list', 'hooks events', 'hooks show', 'hooks send-again', 'hooks try'],
    steps: [
      [
        'npx passepartout hooks test github pull_request.opened',
        'sends a sample event, to see what becomes of it',
        'schickt ein Beispiel, um zu sehen, was daraus wird',
      ],
    ],
    see: 'infra/webhooks.md#see-try-and-repeat-events',
  },
  {
    title: 'Do something when an event comes',
    german: 'Etwas tun, wenn ein Ereignis kommt',
    words:
      'trigger react automation workflow whenever automatically if then rule service ' +
      'auslösen reagieren Automatik Ablauf sobald automatisch wenn dann Regel Dienst',
    steps: [
      [
        'npx passepartout jobs add pulls --event github/pull_request.opened --runbook tell',
        'each such event comes as one line, without a model',
        'jedes solche Ereignis kommt als eine Zeile, ohne Modell',
      ],
    ],
    see: 'infra/webhooks.md',
  },
];
