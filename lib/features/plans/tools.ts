/**
 * The tools of plans. The model writes one down, or the calls of steps that a person wrote in
 * words; only a person has it performed, after a card with the exact bytes. A run writes the states
 * of its steps. The work is loaded with the first call.
 */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import type { Run } from '../../core/ledger/run.ts';
import { MEMORY_TITLE_CHARS_MAX } from '../../core/memory/limits.ts';
import { MemoryId, Sha256 } from '../../core/memory/object-parts.ts';
import { countWords, quoted } from '../../core/text/quoted.ts';
import { defineTool, loadFeatureParts, loadFileParts } from '../../core/tools/tool.ts';

/** Steps of one plan: a person reads all of them, and a runbook has room for them (30). */
export const PLAN_STEPS_MAX = 12;
const TOOL_CHARS_MAX = 128;

export const MARK_PLAN = 'mark-plan';

/** A run as its records have it. */
export interface PlanRun {
  readonly run: Run;
  /** Beginnings of the ids of the notes of its steps, in order, as they were approved. */
  readonly notes: readonly string[];
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    /** The run of a plan that the signal is a step of; undefined for any other signal. */
    readonly planRuns?: { readonly load: (signalId: string) => Promise<PlanRun | undefined> };
  }
}

const line = z.string().check(z.regex(/^(?=.*\S)[^\r\n]*$/), z.maxLength(MEMORY_TITLE_CHARS_MAX));
const call = { tool: z.string().check(z.minLength(1), z.maxLength(TOOL_CHARS_MAX)), args: JsonObject };
export interface Call {
  readonly tool: string;
  readonly args: JsonObject;
}

const steps = <T extends z.ZodMiniType>(step: T) => z.array(step).check(z.minLength(1), z.maxLength(PLAN_STEPS_MAX));

export const WriteArgs = z.strictObject({
  /** Of a new plan. */
  title: z.optional(line),
  /** A plan that there is: the calls of its steps in words alone. */
  plan: z.optional(MemoryId),
  steps: steps(z.strictObject({ step: z.optional(MemoryId), words: z.optional(line), ...call })),
});
export type WriteArgs = z.infer<typeof WriteArgs>;

export const writePlan = defineTool({
  name: 'write-plan',
  description:
    'Write a plan for the owner to edit and approve: title, and steps {words, tool, args}. Or, of a plan that there is (plan), the calls of steps that have none: {step: id, tool, args}.',
  sentence: ({ title, steps: list }) =>
    title === undefined
      ? `Write ${countWords(list.length, 'call')} into a plan`
      : `Write the plan ${quoted(title)} of ${countWords(list.length, 'step')}`,
  args: WriteArgs,
  draft: z.strictObject({
    title: z.optional(z.string()),
    plan: z.optional(z.string()),
    steps: z.array(
      z.strictObject({
        step: z.optional(z.string()),
        words: z.optional(z.string()),
        tool: z.string(),
        args: JsonObject,
      }),
    ),
  }),
  loadForm: async () => (await loadFeatureParts()).WRITE_PLAN_FORM,
  tier: 'allow',
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'inputs',
  run: async (args, context) => (await loadFeatureParts()).writePlan(args, context),
});

export const PlanArgs = z.strictObject({
  plan: MemoryId,
  title: z.string(),
  /** As they stand in memory: the yes is bound to these bytes. */
  steps: steps(z.strictObject({ note: MemoryId, words: z.string(), ...call })),
  /** SHA-256 of the runbook that is made of them. */
  hash: Sha256,
  /** The yes covers each call; false if words from outside have a part in it. */
  approveWhole: z.boolean(),
});
export type PlanArgs = z.infer<typeof PlanArgs>;

export const runPlan = defineTool({
  name: 'run-plan',
  description: 'Perform a plan as it stands.',
  sentence: ({ title, steps: list }) => `Perform the plan ${quoted(title)}: ${countWords(list.length, 'step')}`,
  args: PlanArgs,
  isForPeople: true,
  isAlwaysAsked: true,
  tier: 'ask',
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'clean',
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.RUN_PLAN_FORM,
  run: async (args, context) => (await loadFileParts()).FEATURE_FILE_PARTS.startPlan(args, context),
});

/** Only a run calls it: the states are those of its records. */
export const markPlan = defineTool({
  name: 'mark-plan',
  sentence: () => 'Write the states of the steps of a plan',
  args: z.strictObject({ plan: MemoryId, isLast: z.optional(z.boolean()) }),
  isMaintenance: true,
  tier: 'allow',
  kind: 'idempotent',
  changesMemory: true,
  outputOrigin: 'clean',
  run: async (args, context) => (await loadFeatureParts()).markPlan(args, context),
});

export const PLAN_TOOLS = [writePlan, runPlan, markPlan] as const;
