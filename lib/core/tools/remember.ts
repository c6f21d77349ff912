/**
 * Stores a note for later; the same effect never stores two. A note made from outside text stays
 * `outside` for good (I13), and never joins a project by itself. A note for a member of a group
 * carries a tag that says so. The scope the conversation chose is filled in before the gates.
 */
import * as z from 'zod/mini';
import { MEMORY_CONTENT_CHARS_MAX } from '../base/limits.ts';
import { Attributes, MemoryId, MemoryScope } from '../memory/object-parts.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

const FIELDS = {
  text: z.string().check(z.regex(/\S/), z.maxLength(MEMORY_CONTENT_CHARS_MAX)),
  tags: z.optional(Attributes.shape.tags),
};

export const RememberArgs = z.strictObject({
  ...FIELDS,
  scope: z.optional(MemoryScope),
  /** Filled in for the scope `project`: the note hangs below it. */
  project: z.optional(MemoryId),
});
export type RememberArgs = z.infer<typeof RememberArgs>;

export const remember = defineTool({
  name: 'remember',
  description:
    'Keep a note for later conversations. Write it so that it can be understood alone; tags are single words to find it by.',
  sentence: ({ text }) => `Keep the note ${quoted(text)}`,
  args: RememberArgs,
  draft: z.strictObject(FIELDS),
  loadForm: async () => (await loadParts()).REMEMBER_FORM,
  tier: 'allow',
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async (args, context) => (await loadParts()).storeNote(args, context),
});
