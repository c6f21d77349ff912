/** Stored sentences of e-mail, in German. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';
import { NEW_ADDRESS_MAILS_MAX } from './bounds.ts';

export const MAIL_STORED: readonly SentencePair[] = [
  [
    '{1} must be an address such as {2}s://user@host:1234 without a password; user and port may be left out',
    '{1} muss eine Adresse wie {2}s://user@host:1234 ohne Passwort sein; Nutzer und Port dürfen fehlen',
  ],
  [
    'MAIL_ADDRESS, MAIL_SMTP and MAIL_PASSWORD belong together',
    'MAIL_ADDRESS, MAIL_SMTP und MAIL_PASSWORD gehören zusammen',
  ],
  ['the recipient is not an e-mail address', 'der Empfänger ist keine E-Mail-Adresse'],
  ['the connection ended before the mail server answered', 'die Verbindung endete, bevor der Mailserver antwortete'],
  ['the mail server could not be reached', 'der Mailserver war nicht erreichbar'],
  ['the mail server refuses MAIL_PASSWORD', 'der Mailserver lehnt MAIL_PASSWORD ab'],
  ['the mail server asks to wait ({1})', 'der Mailserver bittet zu warten ({1})'],
  ['the mail server refused the mail ({1})', 'der Mailserver hat die Mail abgelehnt ({1})'],
  [
    `at most ${NEW_ADDRESS_MAILS_MAX} mails an hour go to new addresses`,
    `höchstens ${NEW_ADDRESS_MAILS_MAX} Mails je Stunde gehen an neue Adressen`,
  ],
  ['this is no file of a mail', 'das ist keine Datei einer Mail'],
  ['the mailbox was made anew since this mail came', 'das Postfach wurde neu angelegt, seit diese Mail kam'],
  ['the mail or its file is gone from the mailbox', 'die Mail oder ihre Datei ist nicht mehr im Postfach'],
  [
    'the mailbox did not give the file; send it again later',
    'das Postfach gab die Datei nicht her; später noch einmal senden',
  ],
];
