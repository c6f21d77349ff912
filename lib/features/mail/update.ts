/** One mail as the program beside the mailbox hands it in: head, words, names of files. */
import * as z from 'zod/mini';
import { KIB } from '../../core/base/limits.ts';

/** Head of a mail: honest ones have some 10 KB. A field that is cut off counts as absent. */
export const HEAD_CHARS_MAX = 48 * KIB;
/** Words of a mail; all of an update fits the body of one request. */
export const MAIL_TEXT_CHARS_MAX = 64 * KIB;
/** Files of a mail that are named; a message has room for five of them. */
export const MAIL_FILES_MAX = 20;

/** Place of a mail in its mailbox (RFC 9051, 2.3.1.1): both numbers together name it for ever. */
export const MailPlace = z.strictObject({ validity: z.int(), uid: z.int() });
/** `at`: when the receiver took it, epoch milliseconds. */
export const Cursor = z.extend(MailPlace, { at: z.int() });
export type Cursor = z.infer<typeof Cursor>;

const words = z.optional(z.string().check(z.maxLength(MAIL_TEXT_CHARS_MAX)));

export const MailUpdate = z.extend(Cursor, {
  head: z.string().check(z.maxLength(HEAD_CHARS_MAX)),
  plain: words,
  /** Words that a page marks as passed on. */
  quoted: words,
  files: z
    .array(
      z.strictObject({
        /** IMAP's number of the part, such as `2.1`. */
        part: z.string().check(z.regex(/^\d{1,4}(?:\.\d{1,4}){0,9}$/)),
        name: z.string().check(z.maxLength(256)),
        type: z.string().check(z.maxLength(128)),
        bytes: z.int().check(z.nonnegative()),
      }),
    )
    .check(z.maxLength(MAIL_FILES_MAX)),
});
export type MailUpdate = z.infer<typeof MailUpdate>;

/** The name of a file within its mailbox, as a piece of text may hold it; and back. */
export const fileId = ({ validity, uid }: z.infer<typeof MailPlace>, part: string): string =>
  `${validity}-${uid}-${part.replaceAll('.', '_')}`;
export const placeOfFile = (file: string) => {
  const [, validity, uid, part = ''] = /^(\d{1,10})-(\d{1,10})-(\d[\d_]{0,48})$/.exec(file) ?? [];
  return validity === undefined
    ? undefined
    : { validity: Number(validity), uid: Number(uid), part: part.replaceAll('_', '.') };
};
