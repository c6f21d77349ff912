/** Pages of the manual: e-mail. */
import type { ManualPage } from '../manual-pages.ts';

export const MAIL_PAGES: readonly ManualPage[] = [
  {
    title: 'Write with the agent by e-mail',
    german: 'Per E-Mail mit dem Agenten schreiben, über ein eigenes Postfach',
    words:
      'mail email e-mail mailbox inbox imap smtp gmail outlook fastmail address attachment thread reply set up connect ' +
      'Mail E-Mail Postfach Adresse Anhang Antwort einrichten verbinden anschließen elektronische Post',
    steps: [
      [
        'npx passepartout setup --only mail',
        'asks for a mailbox, tries it, and asks whose word on senders counts',
        'fragt nach einem Postfach, probiert es aus, und fragt, wessen Wort über Absender gilt',
      ],
      [
        'npx passepartout pair',
        'prints a line; mailed from an address, it pairs that address',
        'gibt eine Zeile aus; von einer Adresse gemailt, verbindet sie diese Adresse',
      ],
    ],
    see: 'lib/features/mail/README.md',
  },
];
