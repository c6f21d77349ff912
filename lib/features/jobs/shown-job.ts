/** A job as programs and the console's page are shown it. */
import * as z from 'zod/mini';
import { JobDefinition, JobName, JobState } from './job.ts';

export const ShownJob = z.looseObject({
  name: JobName,
  version: z.int(),
  state: JobState,
  definition: JobDefinition,
  /** Runs that have not ended. */
  running: z.int(),
  /** Failures in a row. */
  failures: z.int(),
  /** When it is next due, epoch milliseconds. */
  nextAt: z.optional(z.int()),
  /** Only of a paused job: `paused`, or how many failures paused it. */
  pausedBecause: z.optional(z.string()),
  /** It is due, and no heartbeat has started it. */
  isBehind: z.boolean(),
  /** The job in one line for a person. */
  line: z.string(),
  /** Its rule and its runs alone; a stack of an older release does not say it. */
  work: z.optional(z.string()),
  /** It came with the program, not from a person. */
  isBuiltIn: z.optional(z.boolean()),
});
export type ShownJob = z.infer<typeof ShownJob>;
