/** Lists the newest notes in outline, without private ones and those of another scope (I13). */
import * as z from 'zod/mini';
import { MEMORY_RESULTS_MAX } from '../base/limits.ts';
import { joinOrigins } from '../signal/signal.ts';
import { OUTLINE_TEXT_CHARS_MAX, showObjects } from './show-objects.ts';
import { defineTool, loadParts } from './tool.ts';

export const listMemory = defineTool({
  name: 'list-memory',
  description: 'List the newest notes in memory, in outline, with their ids.',
  sentence: () => 'List the newest notes',
  args: z.strictObject({}),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async (_args, context) => {
    const { memory } = context;
    // Memory also leaves out the notes below a hidden one.
    const { loadIsHidden, shareResults } = await loadParts();
    const isHidden = await loadIsHidden(context);
    const listOf = (isOutside: boolean) =>
      memory.list({
        limit: MEMORY_RESULTS_MAX,
        isHidden,
        isListed: ({ origin }) => (origin === 'outside') === isOutside,
      });
    const [own, outside] = [await listOf(false), await listOf(true)];
    const newest = shareResults(own.objects, outside.objects, MEMORY_RESULTS_MAX);
    const objects = newest.filter((object) => !isHidden(object));
    const isMore = own.cursor !== undefined || outside.cursor !== undefined;
    const isAll = !isMore && newest.length === own.objects.length + outside.objects.length;
    const shown = objects.length === 0 ? 'Nothing is remembered yet.' : showObjects(objects, OUTLINE_TEXT_CHARS_MAX);
    return {
      output: isAll ? shown : `${shown}\n(older notes are not listed; recall finds them by words)`,
      origin: joinOrigins(objects.map((object) => object.origin)),
    };
  },
});
