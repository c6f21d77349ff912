/**
 * Finds notes by words shared with a question, without private ones and other scopes' (I13); or
 * passages of a source that a feature adds.
 */
import * as z from 'zod/mini';
import { RECALL_SOURCES } from '../../features/recall-sources.ts';
import { MEMORY_QUERY_CHARS_MAX, MEMORY_RESULTS_MAX } from '../base/limits.ts';
import { joinOrigins } from '../signal/signal.ts';
import { quoted } from '../text/quoted.ts';
import { RECALLED_TEXT_CHARS_MAX, showObjects } from './show-objects.ts';
import { defineTool, loadParts } from './tool.ts';

/** Undefined for memory. */
export const findSource = (name: unknown) => RECALL_SOURCES.find((source) => source.name === name);

export const recall = defineTool({
  name: 'recall',
  description: 'Find notes that were remembered earlier, by words that they would contain; best matches first.',
  sentence: ({ query, source }) => `Look ${findSource(source)?.place.en ?? 'in memory'} for ${quoted(query)}`,
  args: z.strictObject({
    query: z.string().check(z.regex(/\S/), z.maxLength(MEMORY_QUERY_CHARS_MAX)),
    source: z.optional(z.enum(RECALL_SOURCES.map(({ name }) => name))),
  }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ query, source }, context) => {
    const other = findSource(source);
    if (other !== undefined) return { output: await other.find(query), origin: 'agent' };
    // Memory also leaves out the notes below a hidden one.
    const { loadIsHidden } = await loadParts();
    const isHidden = await loadIsHidden(context);
    const found = await context.memory.recall({ query, limit: MEMORY_RESULTS_MAX, isHidden });
    const objects = found.filter((object) => !isHidden(object));
    return {
      output: objects.length === 0 ? 'No note has any of these words.' : showObjects(objects, RECALLED_TEXT_CHARS_MAX),
      origin: joinOrigins(objects.map((object) => object.origin)),
    };
  },
});
