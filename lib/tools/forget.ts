/** Erases a note for good, and what hangs below it. Destroys data, so a person is asked; repeating it changes nothing. */
import * as z from 'zod/mini';
import { MemoryId } from '../memory/object.ts';
import { joinOrigins } from '../signal/signal.ts';
import { defineTool } from './tool.ts';

export const forget = defineTool({
  name: 'forget',
  description: 'Erase one note from memory for good, by its id as recall or list-memory shows it.',
  args: z.strictObject({ id: MemoryId }),
  tier: 'ask',
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ id }, { memory, origin, signalId, effectId, now }) => {
    const forgotten = await memory.forget({ id, signalId, effectId, now });
    const output = forgotten === undefined ? 'No note has this id.' : `Forgotten: ${id}.`;
    return { output, origin: joinOrigins(['agent', origin]) };
  },
});
