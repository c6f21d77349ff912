/**
 * Stores a note for later; the same effect never stores two. A note made from outside text stays
 * `outside` for good (I13). A note for a member of a group carries a tag that says so.
 */
import * as z from 'zod/mini';
import { MEMORY_CONTENT_CHARS_MAX, MEMORY_TAGS_MAX } from '../base/limits.ts';
import { Attributes } from '../memory/object-parts.ts';
import { joinOrigins } from '../signal/signal.ts';
import { defineTool } from './tool.ts';

/** Tag of a note for somebody without the owner's rights. */
export const FROM_MEMBER = 'from-a-member';

export const remember = defineTool({
  name: 'remember',
  description:
    'Keep a note for later conversations. Write it so that it can be understood alone; tags are single words to find it by.',
  args: z.strictObject({
    text: z.string().check(z.regex(/\S/), z.maxLength(MEMORY_CONTENT_CHARS_MAX)),
    tags: z.optional(Attributes.shape.tags),
  }),
  tier: 'allow',
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ text, tags = [] }, { memory, origin, effectId, signalId, actor, now, newNonce, askedBy }) => {
    const marked = askedBy === 'member' ? [...new Set([FROM_MEMBER, ...tags])].slice(0, MEMORY_TAGS_MAX) : tags;
    const by = { origin, effectId, signalId, actor, now };
    const object = await memory.remember({ text, tags: marked, ...by, nonce: newNonce() });
    const output =
      object.state === 'live'
        ? `Remembered as ${object.id}.`
        : `Remembered as ${object.id}, and ${object.state} since.`;
    return { output, origin: joinOrigins(['agent', origin]) };
  },
});
