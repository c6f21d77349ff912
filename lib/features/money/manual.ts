/** Pages of the manual: what models cost. */
import type { ManualPage } from '../manual-pages.ts';

export const MONEY_PAGES: readonly ManualPage[] = [
  {
    title: 'See what was spent, and what is left',
    german: 'Sehen, was ausgegeben wurde, und was übrig ist',
    words:
      'money cost costs price expensive bill dollars euros tokens usage budget today week month spend burn consumption saved ' +
      'Geld Kosten gekostet kostet Preis teuer Rechnung Dollar Euro Verbrauch Budget heute Woche Monat ausgegeben verbraucht paid credit left balance how much so far Guthaben übrig bezahlt bisher',
    verbs: ['budget', 'cost'],
    see: 'lib/features/money/README.md',
  },
  {
    title: 'Set how much may be spent a day',
    german: 'Festlegen, wie viel am Tag ausgegeben werden darf',
    words:
      'limit cap maximum budget money cost spending raise increase lower dollars per day month too expensive ' +
      'Grenze Limit Obergrenze Höchstbetrag Budget Geld Kosten erhöhen senken begrenzen deckeln pro Tag zu teuer not more than at most pay ceiling stop when reached monthly nicht mehr als höchstens zahlen bezahlen Monat monatlich aufhören',
    steps: [
      [
        '/config set BUDGET_DAY_USD 3',
        'caps a day at three dollars; holds within a minute; also npx passepartout config set …',
        'begrenzt einen Tag auf drei Dollar; gilt binnen einer Minute; auch npx passepartout config set …',
      ],
      [
        'npx passepartout setup --only budget',
        'asks for the caps, one by one',
        'fragt nach den Grenzen, eine nach der anderen',
      ],
    ],
    see: 'infra/README.md#settings',
  },
];
