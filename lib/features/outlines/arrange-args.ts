/** The arguments of `arrange-notes` with their bounds. */
import * as z from 'zod/mini';
import { MEMORY_LINKS_MAX } from '../../core/memory/limits.ts';
import { MemoryId, Sha256 } from '../../core/memory/object-parts.ts';

/** Notes below one note that one look shows, and one card names: a person reads all of them. */
export const OUTLINE_NOTES_MAX = 50;
/** A heading or a summary, which the card shows whole. */
const TITLE_CHARS_MAX = 200;
const SUMMARY_CHARS_MAX = 2_000;

const line = z.string().check(z.regex(/^(?=.*\S)[^\r\n]*$/), z.maxLength(TITLE_CHARS_MAX));
/** Either a note by its id, or a new heading by its title. Level 1 is directly below the note. */
const Entry = z.strictObject({
  id: z.optional(MemoryId),
  title: z.optional(line),
  level: z.int().check(z.minimum(1), z.maximum(OUTLINE_NOTES_MAX)),
});
export type Entry = z.infer<typeof Entry>;

export const ArrangeArgs = z.strictObject({
  note: MemoryId,
  outline: z.optional(z.array(Entry).check(z.minLength(1), z.maxLength(2 * OUTLINE_NOTES_MAX))),
  summary: z.optional(
    z.strictObject({ title: line, text: z.string().check(z.regex(/\S/), z.maxLength(SUMMARY_CHARS_MAX)) }),
  ),
  links: z.optional(
    z.array(z.strictObject({ from: MemoryId, to: MemoryId })).check(z.minLength(1), z.maxLength(MEMORY_LINKS_MAX)),
  ),
  /** Filled in: hash of the note, and so of all below it, as it was read. */
  base: z.optional(Sha256),
});
export type ArrangeArgs = z.infer<typeof ArrangeArgs>;
export const ARRANGE_FIELDS = ['note', 'outline', 'summary', 'links'];
