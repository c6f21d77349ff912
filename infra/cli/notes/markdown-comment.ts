/**
 * What a Markdown heading has no place for (properties, an unusual state, tags with blanks in them)
 * stands in a comment under it: `<!-- note {"properties":{"effort":"2h"}} -->`. Written only where
 * needed; a comment that is not exactly so is text. Pure.
 */
import * as z from 'zod/mini';
import { MEMORY_TAG_CHARS_MAX } from '../../../lib/memory/limits.ts';
import { NOTE_PROPERTY_NAME_CHARS_MAX } from '../limits.ts';
import { NoteProperty, TodoState } from './note.ts';

export const NoteComment = z.strictObject({
  properties: z.optional(z.record(z.string().check(z.maxLength(NOTE_PROPERTY_NAME_CHARS_MAX)), NoteProperty)),
  tags: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))),
  todo: z.optional(TodoState),
});
export type NoteComment = z.infer<typeof NoteComment>;

const START = '<!-- note ';
const END = ' -->';

export const isNoteComment = (text: string): boolean => text.startsWith(START);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const parseNoteComment = (html: string): NoteComment | undefined => {
  if (!html.startsWith(START) || !html.endsWith(END)) return undefined;
  const parsed = NoteComment.safeParse(parseJson(html.slice(START.length, -END.length)));
  return parsed.success ? parsed.data : undefined;
};

/** `>` is written as an escape, so that no value ends the comment. */
export const renderNoteComment = (comment: NoteComment): string =>
  `${START}${JSON.stringify(comment).replaceAll('>', '\\u003e')}${END}`;
