/**
 * Evidence of a forgotten object: its id, its hash, when and by which signal it was forgotten, and
 * the records that lost their content with it. A restored table forgets it again by this.
 */
import * as z from 'zod/mini';

export const FixedTombstoneShape = z.strictObject({
  v: z.literal(1),
  object: z.string(),
  hash: z.string(),
  forgottenAt: z.int(),
  signal: z.string(),
  covers: z.array(z.string()),
});

/** A tombstone as stored outside the table, with fields that only forgetting again needs. */
export const KeptTombstone = z.extend(FixedTombstoneShape, {
  /** Roots of turns that a person named: all their text was erased with it. */
  asked: z.optional(z.array(z.string())),
});
export type KeptTombstone = z.infer<typeof KeptTombstone>;
