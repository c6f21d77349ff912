/**
 * Shows the newest notes in outline. Left out are private ones, what belongs to single conversations (their summaries), and all
 * below them. The output is as trustworthy as the notes shown (I13).
 */
import * as z from 'zod/mini';
import { MEMORY_RESULTS_MAX } from '../limits.ts';
import type { LiveObject } from '../memory/object.ts';
import { joinOrigins } from '../signal/signal.ts';
import { isMarkedPrivate } from './private-notes.ts';
import { OUTLINE_TEXT_CHARS_MAX, showObjects } from './show-objects.ts';
import { defineTool } from './tool.ts';

export const listMemory = defineTool({
  name: 'list-memory',
  description: 'List the newest notes in memory, in outline, with their ids.',
  args: z.strictObject({}),
  tier: 'allow',
  kind: 'idempotent',
  outputOrigin: 'objects',
  run: async (_args, { memory, privacyTags = [] }) => {
    // Memory knows what stands above a note, and leaves out what is below a hidden one too.
    const isHidden = (object: LiveObject): boolean =>
      object.scope === 'session' || isMarkedPrivate(object, privacyTags);
    const { objects: newest, cursor } = await memory.list({ limit: MEMORY_RESULTS_MAX, isHidden });
    const objects = newest.filter((object) => !isHidden(object));
    const shown = objects.length === 0 ? 'Nothing is remembered yet.' : showObjects(objects, OUTLINE_TEXT_CHARS_MAX);
    return {
      output: cursor === undefined ? shown : `${shown}\n(older notes are not listed; recall finds them by words)`,
      origin: joinOrigins(objects.map((object) => object.origin)),
    };
  },
});
