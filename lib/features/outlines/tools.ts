/**
 * The tools of subtrees: `read-notes` shows one, `arrange-notes` proposes another order, a summary
 * or links. A person is asked with the difference. The form (`arrange-args.ts`) and the work are
 * loaded with the first call.
 */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import { MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import { MemoryId } from '../../core/memory/object-parts.ts';
import { defineTool, loadFeatureParts } from '../../core/tools/tool.ts';

const short = (id: string): string => id.slice(0, MEMORY_ID_SHOWN_CHARS);

export const readNotes = defineTool({
  name: 'read-notes',
  description: 'Read a note, and all below it.',
  sentence: ({ id }) => `Read the note ${short(id)} and those below it`,
  args: z.strictObject({ id: MemoryId }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ id }, context) => (await loadFeatureParts()).readNotes(id, context),
});

const objects = z.optional(z.array(JsonObject));

export const arrangeNotes = defineTool({
  name: 'arrange-notes',
  description:
    'Propose below a note: outline [{id, level}: each once; {title, level}: a heading], summary {title, text}, or links [{from, to}].',
  sentence: ({ note, outline, links }) =>
    `${outline ? 'Arrange the notes below' : links ? 'Link the notes of' : 'Add a summary to'} ${short(note)}`,
  args: z.strictObject({
    note: MemoryId,
    outline: objects,
    summary: z.optional(JsonObject),
    links: objects,
    base: z.optional(z.string()),
  }),
  // The description says the rest, in less room of each prompt.
  draft: z.looseObject({ note: z.string() }),
  loadForm: async () => (await loadFeatureParts()).ARRANGE_FORM,
  tier: 'ask',
  isAlwaysAsked: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'objects',
  run: async (args, context) => (await loadFeatureParts()).arrangeNotes(args, context),
});

export const OUTLINE_TOOLS = [readNotes, arrangeNotes] as const;
