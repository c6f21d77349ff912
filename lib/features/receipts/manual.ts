/** Pages of the manual: proof for others. */
import type { ManualPage } from '../manual-pages.ts';

export const RECEIPT_PAGES: readonly ManualPage[] = [
  {
    title: 'Prove one action to somebody else (receipt)',
    german: 'Jemandem eine Handlung beweisen (Beleg)',
    words:
      'proof prove evidence stranger outsider third party auditor boss customer show confirm document really did happened signed ' +
      'Beweis beweisen Nachweis nachweisen Quittung Beleg Fremde Dritte Prüfer Chef Kunde bestätigen wirklich getan accountant lawyer tax payment insurance check himself herself Steuer Anwalt Buchhaltung Versicherung Zahlung selbst prüfen',
    verbs: ['receipt'],
    steps: [
      [
        'npx passepartout receipt <signal>#<n>',
        'writes the proof; anybody checks it with npx passepartout verify <file>',
        'schreibt den Beleg; jeder prüft ihn mit npx passepartout verify <file>',
      ],
    ],
    see: 'lib/core/evidence/RECEIPTS.md',
  },
];
