/**
 * The tools of the skills that tend memory: the Gardener looks through it and mends, the Scribe
 * makes notes of conversations, Reflection draws insights. Only runbooks call them, and no prompt
 * offers them. Their work is loaded with the first call.
 */
import * as z from 'zod/mini';
import { MemoryId } from '../../core/memory/object-parts.ts';
import { countWords, quoted } from '../../core/text/quoted.ts';
import { defineTool, loadParts } from '../../core/tools/tool.ts';
import { Mends } from './mend.ts';

/** Turns of one period: an hour of talk. */
export const GATHERED_TURNS_MAX = 40;
/** Answer of a model that makes notes. */
const SCRIBE_ANSWER_CHARS_MAX = 8_000;
/** A thought of a few sentences, which a card shows whole. */
const INSIGHT_CHARS_MAX = 1_200;
/** Notes an insight may be drawn from. */
const INSIGHT_SOURCES_MAX = 8;

/** The power of tending that Act gives to these tools. */
export interface TendingPowers {
  /** Up to where turns were made into notes, epoch milliseconds; undefined for never. */
  readonly loadScribed: () => Promise<number | undefined>;
  /** Moves it forward only. */
  readonly saveScribed: (until: number) => Promise<void>;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly tending?: TendingPowers;
  }
}

const read = { tier: 'allow', isMaintenance: true, kind: 'read', outputOrigin: 'objects' } as const;
const asked = {
  tier: 'ask',
  isMaintenance: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  changesMemory: true,
} as const;

/** Findings as one text with numbered lines, and mends that are plainly right. */
export const tendMemory = defineTool({
  name: 'tend-memory',
  description: 'Look memory through for broken links, duplicates, stale tasks and damage.',
  sentence: () => 'Look memory through for what could be tidied up',
  args: z.strictObject({}),
  ...read,
  run: async (_args, context) => (await loadParts()).FEATURE_PARTS.tendMemory(context),
});

export const MendMemoryArgs = z.strictObject({ mends: Mends });

/** The card shows each change in a line. */
export const mendMemory = defineTool({
  name: 'mend-memory',
  description: 'Make the changes that tend-memory proposed.',
  sentence: ({ mends }) => `Tidy memory up with ${countWords(mends.length, 'change')}`,
  args: MendMemoryArgs,
  ...asked,
  outputOrigin: 'objects',
  loadForm: async () => (await loadParts()).FEATURE_PARTS.MEND_FORM,
  run: async ({ mends }, context) => (await loadParts()).FEATURE_PARTS.mendMemory(mends, context),
});

/** Turns since the Scribe's last period. */
export const gatherTurns = defineTool({
  name: 'gather-turns',
  description: "Gather the owner's conversations since the last time.",
  sentence: () => 'Gather the conversations since the last time',
  args: z.strictObject({}),
  ...read,
  run: async (_args, context) => (await loadParts()).FEATURE_PARTS.gatherTurns(context),
});

/** `answer` is JSON: `[{"text", "tags", "from": [numbers of turns]}]`. */
export const KeepNotesArgs = z.strictObject({
  from: z.int(),
  until: z.int(),
  turns: z.array(z.string().check(z.maxLength(256))).check(z.minLength(1), z.maxLength(GATHERED_TURNS_MAX)),
  answer: z.string().check(z.maxLength(SCRIBE_ANSWER_CHARS_MAX)),
});
export type KeepNotesArgs = z.infer<typeof KeepNotesArgs>;

/** One commit for each period. */
export const keepNotes = defineTool({
  name: 'keep-notes',
  sentence: ({ turns }) => `Keep notes of ${countWords(turns.length, 'message')}`,
  args: KeepNotesArgs,
  tier: 'allow',
  isMaintenance: true,
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async (args, context) => (await loadParts()).FEATURE_PARTS.keepNotes(args, context),
});

/** Others every four hours. */
export const pickNotes = defineTool({
  name: 'pick-notes',
  description: 'Pick a few notes to think about.',
  sentence: () => 'Pick a few notes to think about',
  args: z.strictObject({}),
  ...read,
  run: async (_args, context) => (await loadParts()).FEATURE_PARTS.pickNotes(context),
});

/** An answer that is not new does not fit, so that its step fails. The card shows the notes. */
export const KeepInsightArgs = z.strictObject({
  text: z.string().check(z.regex(/\S/), z.maxLength(INSIGHT_CHARS_MAX)),
  notes: z.array(MemoryId).check(z.minLength(1), z.maxLength(INSIGHT_SOURCES_MAX)),
  isNew: z.literal(true),
});
export type KeepInsightArgs = z.infer<typeof KeepInsightArgs>;

export const keepInsight = defineTool({
  name: 'keep-insight',
  description: 'Keep an insight drawn from a few notes.',
  sentence: ({ text, notes }) => `Keep the thought ${quoted(text)}, drawn from ${countWords(notes.length, 'note')}`,
  args: KeepInsightArgs,
  ...asked,
  outputOrigin: 'inputs',
  loadForm: async () => (await loadParts()).FEATURE_PARTS.INSIGHT_FORM,
  run: async (args, context) => (await loadParts()).FEATURE_PARTS.keepInsight(args, context),
});

export const TENDING_TOOLS = [tendMemory, mendMemory, gatherTurns, keepNotes, pickNotes, keepInsight] as const;
