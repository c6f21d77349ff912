/**
 * One line of the journal that a runner keeps. Only ever appended to: each line names the hash of
 * the line before.
 */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { SignedOrder } from './order.ts';
import { SignedReceipt, SignedResult } from './result.ts';

/** One signed result names at most a hundred files; one order holds one action. */
export const JOURNAL_LINE_CHARS_MAX = 1024 * 1024;

const common = {
  /** When the line was written, epoch milliseconds of the machine. */
  at: z.int(),
  /** SHA-256 of the line before, hex; of the empty text in the first. Absent in older lines. */
  before: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
};

/** @param text of a line, without its end; empty if there is none */
export const lineHash = (text: string): string => hash('sha256', text);

export const JournalLine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('job'), ...common, signed: SignedOrder }),
  z.strictObject({ kind: z.literal('receipt'), ...common, signed: SignedReceipt }),
  z.strictObject({ kind: z.literal('result'), ...common, signed: SignedResult }),
]);
export type JournalLine = z.infer<typeof JournalLine>;
