/** The row beside the first signal of a job's run, as far as the stages need it. Pure. */
import * as z from 'zod/mini';
import { Destination } from './destination.ts';

export const JobRun = z.object({
  schemaVersion: z.literal(1),
  /** `rule`: a moment of the rule. `run`: a person wanted it now. Else as the job says. */
  kind: z.enum(['rule', 'run', 'event', 'condition']),
  /** Signal of the event it runs for. */
  eventId: z.optional(z.string()),
  /** Further destinations of the answer. */
  copies: z.optional(z.array(Destination)),
  /** Micro-dollars a day. */
  capUsd: z.optional(z.int()),
  /** When its outcome was written, epoch milliseconds. Those that never ran are closed at once. */
  closedAt: z.optional(z.int()),
});
export type JobRun = z.infer<typeof JobRun>;
