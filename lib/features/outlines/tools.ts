/**
 * The tools of subtrees: `read-notes` shows one, `arrange-notes` proposes another order, a summary
 * or links. A person is asked with the difference; the work is loaded with the first call.
 */
import * as z from 'zod/mini';
import { MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import { MEMORY_LINKS_MAX } from '../../core/memory/limits.ts';
import { MemoryId, Sha256 } from '../../core/memory/object-parts.ts';
import { defineTool, loadFeatureParts } from '../../core/tools/tool.ts';

/** Notes below one note that one look shows, and one card names: a person reads all of them. */
export const OUTLINE_NOTES_MAX = 50;
/** A heading or a summary, which the card shows whole. */
const TITLE_CHARS_MAX = 200;
const SUMMARY_CHARS_MAX = 2_000;

const line = z.string().check(z.regex(/^(?=.*\S)[^\r\n]*$/), z.maxLength(TITLE_CHARS_MAX));
/** Either a note by its id, or a new heading by its title. */
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

/** The model's form has no bounds: they would take room of each prompt. */
const DRAFT = z.strictObject({
  note: z.string(),
  outline: z.optional(
    z.array(z.strictObject({ id: z.optional(z.string()), title: z.optional(z.string()), level: z.int() })),
  ),
  summary: z.optional(z.strictObject({ title: z.string(), text: z.string() })),
  links: z.optional(z.array(z.strictObject({ from: z.string(), to: z.string() }))),
});

const short = (id: string): string => id.slice(0, MEMORY_ID_SHOWN_CHARS);

export const readNotes = defineTool({
  name: 'read-notes',
  description: 'Read one note by its id, and all notes below it in order.',
  sentence: ({ id }) => `Read the note ${short(id)} and those below it`,
  args: z.strictObject({ id: MemoryId }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ id }, context) => (await loadFeatureParts()).readNotes(id, context),
});

export const arrangeNotes = defineTool({
  name: 'arrange-notes',
  description:
    'Propose for the notes below one note either outline: each of their ids once, and new headings {title, level}; or summary; or links.',
  sentence: ({ note, outline, links }) =>
    `${outline !== undefined ? 'Arrange the notes below' : links !== undefined ? 'Link the notes of' : 'Add a summary to'} ${short(note)}`,
  args: ArrangeArgs,
  draft: DRAFT,
  loadForm: async () => (await loadFeatureParts()).ARRANGE_FORM,
  tier: 'ask',
  isAlwaysAsked: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'objects',
  run: async (args, context) => (await loadFeatureParts()).arrangeNotes(args, context),
});

export const OUTLINE_TOOLS = [readNotes, arrangeNotes] as const;
