/**
 * Keeps a note for later. May be used under taint: the note then stays `outside` for good (I13). The same effect never
 * keeps two. A note that a member of a group had kept is marked as such, whatever the model made of
 * it.
 */
import * as z from 'zod/mini';
import { MEMORY_CONTENT_CHARS_MAX, MEMORY_TAGS_MAX } from '../base/limits.ts';
import { Attributes } from '../memory/object-parts.ts';
import { joinOrigins } from '../signal/signal.ts';
import { defineTool } from './tool.ts';

/** Tag of a note that somebody without the owner's rights asked for. */
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
