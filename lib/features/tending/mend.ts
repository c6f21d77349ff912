/** One change that tidies memory up, as the arguments of a tool and a card's line have it. */
import * as z from 'zod/mini';
import { MEMORY_LINK_CHARS_MAX } from '../../core/memory/limits.ts';
import { MemoryId } from '../../core/memory/object-parts.ts';

/** Mends of one card, which shows each in a line. */
export const MENDS_MAX = 12;
/** Notes that one mend makes one of. */
export const MERGED_NOTES_MAX = 8;

const target = z.string().check(z.minLength(1), z.maxLength(MEMORY_LINK_CHARS_MAX));

export const Mend = z.discriminatedUnion('kind', [
  /** The link's words stay. */
  z.strictObject({ kind: z.literal('unlink'), id: MemoryId, target }),
  z.strictObject({ kind: z.literal('relink'), id: MemoryId, target, to: target }),
  /** The others are removed; their tags, links and notes below go to the first. */
  z.strictObject({
    kind: z.literal('merge'),
    id: MemoryId,
    others: z.array(MemoryId).check(z.minLength(1), z.maxLength(MERGED_NOTES_MAX - 1)),
  }),
  z.strictObject({ kind: z.literal('close'), id: MemoryId }),
]);
export type Mend = z.infer<typeof Mend>;

export const Mends = z.array(Mend).check(z.minLength(1), z.maxLength(MENDS_MAX));
