/**
 * Erases a note for good, the notes below it, and every mention in the turns that wrote or showed
 * it. The same words elsewhere are only named. A person is asked; a repeat changes nothing.
 */
import * as z from 'zod/mini';
import { HOUR_S, MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import { MemoryId } from '../../core/memory/object-parts.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { countWords } from '../../core/text/quoted.ts';
import { defineTool, loadFeatureParts, powerOf } from '../../core/tools/tool.ts';

/** A person may name so many signals in one message, and an id is at most so long. */
const FORGET_SIGNALS_MAX = 20;
const SIGNAL_ID_CHARS_MAX = 240;

/** Longer than any running turn. */
const LATE_MS = HOUR_S * 1000;

/** Further signals to erase, to which no link leads. */
const SignalIds = z
  .array(z.string().check(z.regex(/^[a-z]+-[\w.:/-]+$/), z.maxLength(SIGNAL_ID_CHARS_MAX)))
  .check(z.maxLength(FORGET_SIGNALS_MAX));

export interface ForgetTraces {
  readonly id: string;
  /** The signal that asks; its own decision stays, since it is running. */
  readonly signalId: string;
  /** Epoch milliseconds; `since` limits how far back to look. */
  readonly now: number;
  readonly since?: number;
  /** Words that memory no longer holds, from an earlier reading. */
  readonly literals?: readonly string[] | undefined;
  /** Signals that a person named; their turns are erased too. */
  readonly signals?: readonly string[] | undefined;
}

export interface ErasedTraces {
  /** Signals in which something was erased. */
  readonly erased: readonly string[];
  /** Records of evidence that lost their content with the object, now or before. */
  readonly covered: number;
  /** Signals and objects that hold the same words, for a person to look at. */
  readonly literalSignals: readonly string[];
  readonly literalObjects: readonly string[];
  /** Waiting actions (`<signal>#<n>`) and grants that hold the words. Never changed (I14). */
  readonly approvals: readonly string[];
  readonly grants: readonly string[];
  /** Names of jobs and skills that hold the words. Never changed (I14). */
  readonly jobs: readonly string[];
  readonly skills: readonly string[];
  /** Summaries of turns that wrote or showed it; forgotten with it. */
  readonly summaries: readonly string[];
  /** Words that were searched for. */
  readonly literals: readonly string[];
  /** False if there are more signals than were searched. */
  readonly isWhole: boolean;
}

/** The power of forgetting that Act gives to its tool. */
export interface ForgettingPowers {
  /** Erases mentions in the turns that wrote or showed an object. A repeat changes nothing. */
  readonly eraseTraces: (what: ForgetTraces) => Promise<ErasedTraces>;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly forgetting?: ForgettingPowers;
  }
}

export const ForgetArgs = z.strictObject({ id: MemoryId, signals: z.optional(SignalIds) });

export const forget = defineTool({
  name: 'forget',
  description: 'Erase one note from memory for good, by its id as recall or list-memory shows it.',
  sentence: ({ id, signals = [] }) =>
    `Forget the note ${id.slice(0, MEMORY_ID_SHOWN_CHARS)} for good, with every mention of it${signals.length === 0 ? '' : `, and ${countWords(signals.length, 'further message')}`}`,
  args: ForgetArgs,
  loadForm: async () => (await loadFeatureParts()).FORGET_FORM,
  tier: 'ask',
  effects: { destroys: true },
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ id, signals }, { memory, powers, origin, signalId, effectId, actor, now }) => {
    const { eraseTraces } = powerOf(powers, 'forgetting');
    const by = { id, signalId, actor, now };
    const before = await eraseTraces({ id, signalId, now, signals });
    // The summaries first: afterwards nothing says which they are.
    for (const summary of before.summaries) await memory.forget({ ...by, id: summary });
    const was = await memory.load(id);
    const forgotten = await memory.forget({ ...by, effectId });
    // Erases what turns wrote while this ran.
    const { literals } = before;
    const late = { id, signalId, now, since: now - LATE_MS, ...(literals.length === 0 ? {} : { literals }) };
    const after = forgotten === undefined ? before : await eraseTraces(late);
    for (const summary of after.summaries) await memory.forget({ ...by, id: summary });
    // The log may have the commit already. Mentions that its tombstone does not cover need another.
    const coveredBefore = was?.state === 'live' ? before.covered : 0;
    if (after.covered > coveredBefore)
      await memory.forget({ ...by, effectId: `${effectId}/${after.covered}`, isAgain: true });
    const erased = new Set([...before.erased, ...after.erased]).size;
    const summaries = new Set([...before.summaries, ...after.summaries]).size;
    const { describeErased } = await loadFeatureParts();
    const lines =
      forgotten === undefined
        ? ['No note has this id.']
        : [`Forgotten: ${id}.`, ...describeErased(erased, before, summaries)];
    return { output: lines.join('\n'), origin: joinOrigins(['agent', origin]) };
  },
});

export const FORGETTING_TOOLS = [forget] as const;
