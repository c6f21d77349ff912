/**
 * What an object says about itself beside its content: title, tags, state, properties, links, and the key that names it in
 * the file or buffer it came from. All of it can carry content, so that forgetting erases it whole. Bounds are those of notes.
 */
import * as z from 'zod/mini';
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
