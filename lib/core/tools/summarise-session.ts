/** Stores a summary of oldest turns, which code looks up; the model gives only the words. */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { SUMMARY_CHARS_MAX } from '../base/limits.ts';
import { quoted } from '../text/quoted.ts';
import { defineTool } from './tool.ts';

export const summariseSession = defineTool({
  name: 'summarise-session',
  description: 'Keep a summary that stands for the turns you were shown, and for the summary before them.',
  sentence: ({ text }) => `Keep a summary of this conversation: ${quoted(text)}`,
  args: z.strictObject({ text: z.string().check(z.regex(/\S/), z.maxLength(SUMMARY_CHARS_MAX)) }),
  tier: 'allow',
  onlyFor: 'session-summary',
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async ({ text }, { memory, records, signalId, effectId, actor, now, origin }) => {
    const of = await records.loadSummarised(signalId);
    if (of === undefined) throw new ProtocolError('there is nothing to be summarised here');
    const { isForgotten, ...sources } = of;
    if (isForgotten) throw new ProtocolError('something it was made from has been forgotten since');
    const id = await memory.keepSummary({ by: { signalId, effectId, actor, now }, ...sources, text, origin });
    return { output: `Summarised as ${id}.`, origin: 'agent', because: { code: 'summarised', id } };
  },
});
