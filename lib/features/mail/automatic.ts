/**
 * Whether a program sent a mail: it is never answered (RFC 3834, 2), so two programs cannot keep
 * each other writing. Pure.
 */
import { type Field, firstOf, valuesOf } from './head.ts';

/** Fields that only programs set: lists (RFC 2369, RFC 2919) and answers while somebody is away. */
const OF_PROGRAMS = [
  ...['list-id', 'list-post', 'list-help', 'list-unsubscribe', 'feedback-id'],
  ...['x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'x-failed-recipients'],
];
const PROGRAM = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|notifications?)(?:[+@]|$)/;

/** @returns why it is answered by nobody; undefined for a mail of a person */
export const whyAutomatic = (fields: readonly Field[], sender: string, ownAddress: string): string | undefined => {
  const submitted = firstOf(fields, 'auto-submitted').toLowerCase();
  if (submitted !== '' && !/^no\b/.test(submitted)) return 'a mail that a program sent';
  if (OF_PROGRAMS.some((name) => valuesOf(fields, name).length > 0)) return 'a mail of a list or a program';
  if (/^(?:bulk|list|junk|auto_reply)\b/i.test(firstOf(fields, 'precedence'))) return 'a mail to many';
  if (/^multipart\/report\b/i.test(firstOf(fields, 'content-type'))) return 'a report about a mail';
  if (valuesOf(fields, 'return-path').some((path) => /^<\s*>/.test(path))) return 'a mail that takes no answer';
  if (PROGRAM.test(sender)) return 'an address that nobody reads';
  return sender === ownAddress ? 'a mail of its own' : undefined;
};

/** The receiver calls it spam. Whoever forges this mark harms his own mail. */
export const isSpam = (fields: readonly Field[]): boolean =>
  /^yes\b/i.test(firstOf(fields, 'x-spam-flag')) || /^yes\b/i.test(firstOf(fields, 'x-spam-status'));
