/** Pages of the manual: calls of other services. */
import type { ManualPage } from '../manual-pages.ts';

export const WEBHOOK_PAGES: readonly ManualPage[] = [
  {
    title: 'Let the agent call another service: a webhook that deploys, posts or switches',
    german: 'Den Agenten einen anderen Dienst rufen lassen: ein Webhook, der ausliefert, schreibt oder schaltet',
    words:
      'outgoing url endpoint api http post slack discord teams ntfy home assistant light smart deploy publish trigger send to service action integrate ' +
      'ausgehend Adresse Schnittstelle aufrufen schicken Licht schalten Heim veröffentlichen ausliefern auslösen anbinden lamp bulb heating garage switch flip toggle open door mail calendar ticket create jira zapier n8n Lampe Heizung Garage anschalten Tür Ticket anlegen Kalender',
    steps: [
      [
        'npx passepartout setup --only webhook',
        'takes the address that is called, with its preset and secret, and tries it; the same as WEBHOOK_TARGETS in .env',
        'nimmt die Adresse, die gerufen wird, mit Vorlage und Geheimnis, und probiert sie; dasselbe wie WEBHOOK_TARGETS in .env',
      ],
      [
        'call the webhook deploy',
        'said in plain words: a card shows the call, and your yes sends it',
        'so gesagt: eine Karte zeigt den Aufruf, und dein Ja sendet ihn',
      ],
    ],
    see: 'infra/webhooks.md#webhooks-that-the-agent-calls',
  },
];
