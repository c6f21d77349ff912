/** The arguments of `delegate`, apart from the rest: every function loads them. */
import * as z from 'zod/mini';

/** A helper, and a helper of it: deeper, nobody can follow who does what. */
const TASK_DEPTH_MAX = 2;
/** Words that a helper gets: as many as those of a job. */
const TASK_WORDS_CHARS_MAX = 4_000;
/** Tools that a helper may get. */
const TASK_TOOLS_MAX = 16;
/** Micro-dollars of one helper: what is worth more is asked in a conversation of its own. */
const TASK_USD_MAX = 1_000_000;

/** Arguments of the tool, complete. `capUsd`: micro-dollars. `depth` 1: it has no helper itself. */
export const TaskArgs = z.strictObject({
  words: z.string().check(z.minLength(1), z.maxLength(TASK_WORDS_CHARS_MAX)),
  tools: z.array(z.string().check(z.regex(/^[a-z0-9-]{1,64}$/))).check(z.minLength(1), z.maxLength(TASK_TOOLS_MAX)),
  capUsd: z.int().check(z.minimum(1), z.maximum(TASK_USD_MAX)),
  depth: z.int().check(z.minimum(1), z.maximum(TASK_DEPTH_MAX)),
});
export type TaskArgs = z.infer<typeof TaskArgs>;
