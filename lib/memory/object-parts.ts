/**
 * Parts of a memory object that the arguments of tools are made of. Apart from the object, so that whoever only knows the tools does
 * not make the schemas of all that is stored.
 */
import * as z from 'zod/mini';
import { MEMORY_TAGS_MAX } from '../base/limits.ts';
import { MEMORY_TAG_CHARS_MAX } from './limits.ts';

/** 128 bits in lower-case hex. */
export const Bits128 = z.string().check(z.regex(/^[0-9a-f]{32}$/));
export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const MemoryId = Bits128;

/** What the model may give a note. */
export const Attributes = z.strictObject({
  tags: z
    .array(z.string().check(z.minLength(1), z.maxLength(MEMORY_TAG_CHARS_MAX)))
    .check(z.maxLength(MEMORY_TAGS_MAX)),
});
