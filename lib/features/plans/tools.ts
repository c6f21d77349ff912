/**
 * The tools of plans. The model writes one down, or the calls of steps that a person wrote in
 * words; only a person has it performed, after a card with the exact bytes. A run writes the states
 * of its steps. Forms (`plan-args.ts`) and work are loaded with the first call.
 */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import type { Run } from '../../core/ledger/run.ts';
import { MemoryId } from '../../core/memory/object-parts.ts';
import { countWords, quoted } from '../../core/text/quoted.ts';
import { nameSteps } from '../../core/tools/propose-plan.ts';
import { defineTool, loadFeatureParts, loadFileParts } from '../../core/tools/tool.ts';

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

const memoryChange = { kind: 'idempotent', changesMemory: true } as const;
const steps = z.array(JsonObject);

export const writePlan = defineTool({
  ...memoryChange,
  name: 'write-plan',
  description:
    'Write a plan for the owner to approve: title, steps [{words, tool, args}]; or plan: id, steps [{step: id, tool, args}] that lack a call.',
  sentence: ({ title, steps: list }) =>
    title
      ? `Write the plan ${quoted(title)} of ${countWords(list.length, 'step')}`
      : `Write ${countWords(list.length, 'call')} into a plan`,
  args: z.strictObject({ title: z.optional(z.string()), plan: z.optional(z.string()), steps }),
  draft: z.looseObject({}),
  loadForm: async () => (await loadFeatureParts()).WRITE_PLAN_FORM,
  tier: 'allow',
  outputOrigin: 'inputs',
  run: async (args, context) => (await loadFeatureParts()).writePlan(args, context),
});

export const runPlan = defineTool({
  ...memoryChange,
  name: 'run-plan',
  sentence: ({ title, steps: list }, nameCall) => `Perform the plan ${quoted(title)}: ${nameSteps(list, nameCall)}`,
  args: z.strictObject({ plan: MemoryId, title: z.string(), steps, hash: z.string(), approveWhole: z.boolean() }),
  isForPeople: true,
  isAlwaysAsked: true,
  tier: 'ask',
  outputOrigin: 'clean',
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.RUN_PLAN_FORM,
  run: async (args, context) => (await loadFileParts()).FEATURE_FILE_PARTS.startPlan(args, context),
});

/** Only a run calls it: the states are those of its records. */
export const markPlan = defineTool({
  ...memoryChange,
  name: 'mark-plan',
  sentence: () => 'Write the states of the steps of a plan',
  args: z.strictObject({ plan: MemoryId, isLast: z.optional(z.boolean()) }),
  isMaintenance: true,
  tier: 'allow',
  outputOrigin: 'clean',
  run: async (args, context) => (await loadFeatureParts()).markPlan(args, context),
});

export const PLAN_TOOLS = [writePlan, runPlan, markPlan] as const;
