/** The arguments of `write-plan` and `run-plan` with their bounds. */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import { MEMORY_TITLE_CHARS_MAX } from '../../core/memory/limits.ts';
import { MemoryId, Sha256 } from '../../core/memory/object-parts.ts';

/** Steps of one plan: a person reads all of them, and a runbook has room for them (30). */
export const PLAN_STEPS_MAX = 12;
const TOOL_CHARS_MAX = 128;

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
export const WRITE_FIELDS = ['title', 'plan', 'steps'];

export const PlanArgs = z.strictObject({
  plan: MemoryId,
  title: z.string().check(z.maxLength(MEMORY_TITLE_CHARS_MAX)),
  /** As they stand in memory: the yes is bound to these bytes. */
  steps: steps(
    z.strictObject({ note: MemoryId, words: z.string().check(z.maxLength(MEMORY_TITLE_CHARS_MAX)), ...call }),
  ),
  /** SHA-256 of the runbook that is made of them. */
  hash: Sha256,
  /** The yes covers each call; false if words from outside have a part in it. */
  approveWhole: z.boolean(),
});
export type PlanArgs = z.infer<typeof PlanArgs>;
export const PLAN_FIELDS = ['plan', 'title', 'steps', 'hash', 'approveWhole'];
