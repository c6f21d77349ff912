/** The messages between Act and the function that reads documents. It loads no parser. Pure. */
import * as z from 'zod/mini';

export const DocumentRequest = z.strictObject({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

export const DocumentAnswer = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ why: z.string() }),
  /** The bytes are not in the store any more. */
  z.strictObject({ isGone: z.literal(true) }),
]);
export type DocumentAnswer = z.infer<typeof DocumentAnswer>;

/** The first bytes of each, in hexadecimal digits. */
const BEGINNINGS = {
  /** `%PDF-` */
  pdf: '255044462d',
  zip: '504b0304',
  /** The container of Office until 2003, and of newer files with a password. */
  'old-office': 'd0cf11e0a1b11ae1',
} as const;
export type DocumentKind = keyof typeof BEGINNINGS;

const KINDS: readonly DocumentKind[] = ['pdf', 'zip', 'old-office'];

/** Senders put empty lines, a mark of byte order or NULs before a PDF: Acrobat looks so far. */
const BLANKS_MAX = 1024;
const isBlank = (byte: number): boolean => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;

/** Judges by the first bytes alone. @returns undefined if they begin no document */
export const documentKind = (bytes: Uint8Array): DocumentKind | undefined => {
  const begin = Math.max(
    bytes.subarray(0, BLANKS_MAX).findIndex((byte) => !isBlank(byte)),
    0,
  );
  const head = Buffer.from(bytes.subarray(begin, begin + 8)).toString('hex');
  return KINDS.find((kind) => head.startsWith(BEGINNINGS[kind]));
};
