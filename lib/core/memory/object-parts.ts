/**
 * Parts of a memory object that arguments of tools use too, so that a tool's schema does not bring
 * those of everything stored. Attributes may hold content, so forgetting erases them whole.
 */
import * as z from 'zod/mini';
import { MEMORY_TAGS_MAX } from '../base/limits.ts';
import {
  MEMORY_KEY_CHARS_MAX,
  MEMORY_LINK_CHARS_MAX,
  MEMORY_LINKS_MAX,
  MEMORY_OBJECT_TAGS_MAX,
  MEMORY_PROPERTIES_MAX,
  MEMORY_PROPERTY_CHARS_MAX,
  MEMORY_PROPERTY_NAME_CHARS_MAX,
  MEMORY_TAG_CHARS_MAX,
  MEMORY_TITLE_CHARS_MAX,
} from './limits.ts';

/** 128 bits in lower-case hex. */
export const Bits128 = z.string().check(z.regex(/^[0-9a-f]{32}$/));
export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const MemoryId = Bits128;

/** The scope of a note: `scope.ts`. */
export const MemoryScope = z.enum(['memex', 'session', 'project']);
export type MemoryScope = z.infer<typeof MemoryScope>;

/** Attributes the model may give a note. */
export const Attributes = z.strictObject({
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))
    .check(z.maxLength(MEMORY_TAGS_MAX)),
});

const text = (charsMax: number) => z.string().check(z.maxLength(charsMax));

const Property = z.union([
  text(MEMORY_PROPERTY_CHARS_MAX),
  z.array(text(MEMORY_PROPERTY_CHARS_MAX)).check(z.maxLength(MEMORY_PROPERTIES_MAX)),
]);

export const ObjectAttributes = z.strictObject({
  title: z.optional(text(MEMORY_TITLE_CHARS_MAX)),
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))
    .check(z.maxLength(MEMORY_OBJECT_TAGS_MAX)),
  todo: z.optional(text(MEMORY_TAG_CHARS_MAX)),
  key: z.optional(text(MEMORY_KEY_CHARS_MAX)),
  properties: z.optional(
    z
      .record(text(MEMORY_PROPERTY_NAME_CHARS_MAX), Property)
      .check(z.refine((properties) => Object.keys(properties).length <= MEMORY_PROPERTIES_MAX)),
  ),
  links: z.optional(z.array(text(MEMORY_LINK_CHARS_MAX)).check(z.maxLength(MEMORY_LINKS_MAX))),
});
export type ObjectAttributes = z.infer<typeof ObjectAttributes>;
