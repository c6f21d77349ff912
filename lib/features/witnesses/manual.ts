/** Pages of the manual: witnesses of the log. */
import type { ManualPage } from '../manual-pages.ts';

export const WITNESS_PAGES: readonly ManualPage[] = [
  {
    title: 'Have a witness cosign the log, on another machine',
    german: 'Einen Zeugen das Protokoll mitzeichnen lassen, auf einem anderen Rechner',
    words:
      'witness cosignature independent second party rewrite fork trust tamper ' +
      'Zeuge Gegenzeichnung unabhängig zweite Stelle umschreiben Vertrauen fälschen',
    steps: [
      [
        'npx passepartout witness --log <public key>',
        'cosigns somebody’s checkpoints as long as the log only grows, and prints the line for WITNESSES',
        'zeichnet fremde Prüfpunkte mit, solange das Protokoll nur wächst, und gibt die Zeile für WITNESSES aus',
      ],
    ],
    see: 'lib/features/witnesses/README.md',
  },
];
