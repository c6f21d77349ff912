/** Pages of the manual: rules of one’s own. */
import type { ManualPage } from '../manual-pages.ts';

export const POLICY_PAGES: readonly ManualPage[] = [
  {
    title: 'Write rules of your own: what is denied, what asks, what passes',
    german: 'Eigene Regeln schreiben: was verboten ist, was fragt, was durchgeht',
    words:
      'policy cedar permission allow forbid deny without asking own customise rights restrict control never always trust ' +
      'Richtlinie Regelwerk Erlaubnis erlauben verbieten ohne Frage eigene Rechte einschränken steuern nie immer working hours amount over only to these recipients strict Arbeitszeit Betrag über nur an diese Empfänger streng',
    steps: [
      [
        'npx passepartout policy init',
        'writes policy.cedar: the defaults, to start from',
        'schreibt policy.cedar: die Vorgaben, zum Anfangen',
      ],
      [
        'npx passepartout policy try policy.cedar --since 30d',
        'which past decisions would come out otherwise',
        'welche früheren Entscheidungen anders ausgegangen wären',
      ],
      [
        'npx passepartout policy set policy.cedar',
        'in force for the next decision; policy show prints it',
        'gilt für die nächste Entscheidung; policy show zeigt sie',
      ],
    ],
    see: 'lib/features/policy/writing.md',
  },
];
