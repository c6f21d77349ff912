/**
 * What is kept of a forgotten object, as evidence: its id, the hash it had, when and by which signal it was forgotten, and which
 * records lost their content with it. Stored once per object; a restored table is told by it what to forget again. Pure.
 */
import * as z from 'zod/mini';

export const FixedTombstoneShape = z.strictObject({
  v: z.literal(1),
  object: z.string(),
  hash: z.string(),
  /** Epoch milliseconds. */
  forgottenAt: z.int(),
  signal: z.string(),
  covers: z.array(z.string()),
});

/** The same as it is kept outside the table, with what only forgetting again needs. */
export const KeptTombstone = z.extend(FixedTombstoneShape, {
  /** Roots of turns a person named, of which all that was said went with it. */
  asked: z.optional(z.array(z.string())),
});
export type KeptTombstone = z.infer<typeof KeptTombstone>;
