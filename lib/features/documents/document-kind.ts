/** The kind of a file, by its first bytes alone. Pure. */

/** The first bytes of each, in hexadecimal digits; a mail begins with its headers. */
const BEGINNINGS = {
  /** `%PDF-` */
  pdf: '255044462d',
  zip: '504b0304',
  /** The container of Office until 2003, and of newer files with a password. */
  'old-office': 'd0cf11e0a1b11ae1',
  /** `{\\rtf` */
  rtf: '7b5c727466',
} as const;
export type DocumentKind = keyof typeof BEGINNINGS | 'mail';

const KINDS: readonly (keyof typeof BEGINNINGS)[] = ['pdf', 'zip', 'old-office', 'rtf'];

/** Servers on the way put their own headers before those of the sender. */
const HEADERS_MAX = 65_536;
/** Headers as RFC 5322 folds them, behind the first line of a mailbox, up to the empty line. */
const HEADERS = /^(?:From [^\n]*\n)?(?:[!-9;-~]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*(?:\n|$))+(?:\r?\n|$)/;
const ONLY_OF_MAIL = /^(?:received|message-id|mime-version)[ \t]*:/im;

/** No text of another kind names its sender and its date, or a header that only mails have. */
const isMail = (bytes: Uint8Array): boolean => {
  const [headers = ''] = HEADERS.exec(Buffer.from(bytes.subarray(0, HEADERS_MAX)).toString('latin1')) ?? [];
  const has = (name: string): boolean => new RegExp(`^${name}[ \\t]*:`, 'im').test(headers);
  return has('from') && ((has('date') && has('subject')) || ONLY_OF_MAIL.test(headers));
};

/** Senders put empty lines, a mark of byte order or NULs before a PDF: Acrobat looks so far. */
const BLANKS_MAX = 1024;
const isBlank = (byte: number): boolean => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;

/** A document without the blanks before it. */
export const withoutBlanks = (bytes: Uint8Array): Uint8Array => {
  const begin = bytes.subarray(0, BLANKS_MAX).findIndex((byte) => !isBlank(byte));
  return bytes.subarray(Math.max(begin, 0));
};

/** Judges by the first bytes alone. @returns undefined if they begin no document */
export const documentKind = (bytes: Uint8Array): DocumentKind | undefined => {
  const document = withoutBlanks(bytes);
  const head = Buffer.from(document.subarray(0, 8)).toString('hex');
  return KINDS.find((kind) => head.startsWith(BEGINNINGS[kind])) ?? (isMail(document) ? 'mail' : undefined);
};
