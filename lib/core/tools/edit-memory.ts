/**
 * Changes one note: text, title, tags, state, properties, place and scope, as one commit. The card
 * and the answer show the difference. A change made from outside text makes the note `outside`
 * (I13). The arguments name the version that was shown: another one is refused.
 */
import * as z from 'zod/mini';
import { MEMORY_CONTENT_CHARS_MAX, MEMORY_ID_SHOWN_CHARS } from '../base/limits.ts';
import {
  MEMORY_PROPERTIES_MAX,
  MEMORY_PROPERTY_CHARS_MAX,
  MEMORY_PROPERTY_NAME_CHARS_MAX,
  MEMORY_TITLE_CHARS_MAX,
} from '../memory/limits.ts';
import { MemoryId, MemoryScope, ObjectAttributes } from '../memory/object-parts.ts';
import { fieldsWords } from '../text/quoted.ts';
import { defineTool, loadParts } from './tool.ts';

const line = (charsMax: number) => z.string().check(z.maxLength(charsMax), z.regex(/^[^\r\n]*$/));
const name = z.string().check(z.minLength(1), z.maxLength(MEMORY_PROPERTY_NAME_CHARS_MAX), z.regex(/^[^\s:]+$/));
const hasRoom = z.refine<object>((properties) => Object.keys(properties).length <= MEMORY_PROPERTIES_MAX);

/** The model's form has no bounds: they would take a third of a small prompt's room for tools. */
const DRAFT = z.strictObject({
  id: z.string(),
  text: z.optional(z.string()),
  title: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  state: z.optional(z.string()),
  properties: z.optional(z.record(z.string(), z.string())),
  parent: z.optional(z.string()),
  order: z.optional(z.int()),
  scope: z.optional(MemoryScope),
});

/** @see NoteChange for what the fields mean */
export const EditArgs = z.strictObject({
  id: MemoryId,
  text: z.optional(z.string().check(z.maxLength(MEMORY_CONTENT_CHARS_MAX))),
  title: z.optional(line(MEMORY_TITLE_CHARS_MAX)),
  tags: z.optional(ObjectAttributes.shape.tags),
  state: z.optional(z.string().check(z.regex(/^[\p{L}\p{N}_-]{0,32}$/u))),
  properties: z.optional(z.record(name, line(MEMORY_PROPERTY_CHARS_MAX)).check(hasRoom)),
  parent: z.optional(z.string().check(z.regex(/^(?:[0-9a-f]{32}|none)$/))),
  order: z.optional(z.int().check(z.positive())),
  scope: z.optional(MemoryScope),
  /** Filled in: the version that is changed. */
  version: z.optional(z.int().check(z.positive())),
});
export type EditArgs = z.infer<typeof EditArgs>;

export const editMemory = defineTool({
  name: 'edit-memory',
  description:
    'Change one note by its id; fields you leave out stay, "" takes one away. tags: all of them; state: TODO, DONE …; parent: id or none; order: place among siblings, from 1; scope: found everywhere, in this session, or in its project.',
  sentence: ({ id, version: _version, ...change }) =>
    `Change the note ${id.slice(0, MEMORY_ID_SHOWN_CHARS)}${fieldsWords(change)}`,
  args: EditArgs,
  draft: DRAFT,
  loadForm: async () => (await loadParts()).EDIT_FORM,
  tier: 'ask',
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'objects',
  run: async (args, context) => (await loadParts()).changeNote(args, context),
});
