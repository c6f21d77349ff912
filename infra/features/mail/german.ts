/** E-mail on the command line, in German. Pure. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const MAIL_SETUP: readonly SentencePair[] = [
  ['A mailbox, for e-mail', 'Ein Postfach, für E-Mail'],
  [
    'The agent reads a mailbox of its own, and deletes nothing there. Leave it empty for none.',
    'Der Agent liest ein eigenes Postfach und löscht darin nichts. Leer lassen für keins.',
  ],
  ['The address of the mailbox', 'Die Adresse des Postfachs'],
  ['Its IMAP server', 'Sein IMAP-Server'],
  ['Its SMTP server', 'Sein SMTP-Server'],
  ['Its password, or one for programs (not shown)', 'Sein Passwort, oder eins für Programme (wird nicht gezeigt)'],
  ['Looking at its newest mails', 'Ein Blick auf die neuesten Mails'],
  [
    'Your provider checks each sender and writes so into Authentication-Results, first its own name.',
    'Der Anbieter prüft jeden Absender und schreibt das in Authentication-Results, zuerst seinen eigenen Namen.',
  ],
  ['That name; empty trusts no sender', 'Dieser Name; leer traut keinem Absender'],
  ['No mailbox is set.', 'Kein Postfach ist gesetzt.'],
  ['off (set MAIL_ADDRESS)', 'aus (MAIL_ADDRESS setzen)'],
  ['  mail      off (set MAIL_ADDRESS)', '  Mail      aus (MAIL_ADDRESS setzen)'],
  ['  mail      {1}', '  Mail      {1}'],
  ['refuses the password', 'lehnt das Passwort ab'],
  ['the mailbox is not reachable', 'das Postfach ist nicht erreichbar'],
  ['the way out refuses the password', 'der Ausgang lehnt das Passwort ab'],
  ['the way out is not reachable', 'der Ausgang ist nicht erreichbar'],
  [
    'reachable; without MAIL_AUTHSERV_ID every mail counts as words of others, and no address can be paired',
    'erreichbar; ohne MAIL_AUTHSERV_ID gelten alle Mails als Worte anderer, und keine Adresse kann gekoppelt werden',
  ],
  ['{1}: is missing ({2} is set)', '{1}: fehlt ({2} ist gesetzt)'],
  ['E-mail: the mailbox is read', 'E-Mail: das Postfach wird gelesen'],
  ['E-mail: the mailbox refuses MAIL_PASSWORD', 'E-Mail: das Postfach lehnt MAIL_PASSWORD ab'],
  [
    'E-mail: the mailbox cannot be read; trying again',
    'E-Mail: das Postfach ist nicht zu lesen; weiter wird es versucht',
  ],
  [
    'E-mail: a mail could not be handed over; trying again',
    'E-Mail: eine Mail ließ sich nicht übergeben; weiter wird es versucht',
  ],
  ['E-mail: a mail was answered {1}', 'E-Mail: auf eine Mail kam die Antwort {1}'],
];
