/**
 * Starts a project: a headline with the tag `project` and the state TODO (`/project new`). Active
 * projects stand in every prompt of the owner's until `edit-memory` gives them the state DONE.
 */
import * as z from 'zod/mini';
import { MEMORY_TAGS_MAX } from '../base/limits.ts';
import { MEMORY_TITLE_CHARS_MAX } from '../memory/limits.ts';
import { Attributes } from '../memory/object-parts.ts';
import { PROJECT_OPEN, PROJECT_TAG } from '../memory/project.ts';
import { joinOrigins } from '../signal/signal.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool } from './tool.ts';

export const startProject = defineTool({
  name: 'start-project',
  sentence: ({ title }) => `Start the project ${quoted(title)}`,
  args: z.strictObject({
    title: z.string().check(z.regex(/^[^\r\n]*\S[^\r\n]*$/), z.maxLength(MEMORY_TITLE_CHARS_MAX)),
    tags: z.optional(Attributes.shape.tags),
  }),
  tier: 'allow',
  isForPeople: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async ({ title, tags = [] }, { memory, origin, effectId, signalId, actor, now, newNonce }) => {
    const by = { origin, effectId, signalId, actor, now };
    const all = [...new Set([PROJECT_TAG, ...tags])].slice(0, MEMORY_TAGS_MAX);
    const object = await memory.remember({ text: '', title, tags: all, todo: PROJECT_OPEN, ...by, nonce: newNonce() });
    return {
      output: `Started the project ${object.id}: /focus ${object.id.slice(0, 8)} looks at it.`,
      origin: joinOrigins(['agent', origin]),
    };
  },
});
