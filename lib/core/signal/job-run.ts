/**
 * The row beside the signal of a job's moment, as far as rooms of the core need it: who is answered
 * and who pays, and what became of it. Pure.
 */
import * as z from 'zod/mini';
import { Destination } from './destination.ts';

/**
 * - `fired`, `late`: it runs, or ran as promised
 * - `skipped`, `missed`: it never ran, by the job's own rules or because the service was down
 * - `failed`, `unknown`, `did-nothing`: it ran, and this is how it ended
 * - `stopped`: it ran until a person stopped it
 */
export const OccurrenceState = z.enum([
  'fired',
  'late',
  'skipped',
  'missed',
  'failed',
  'unknown',
  'did-nothing',
  'stopped',
]);
export type OccurrenceState = z.infer<typeof OccurrenceState>;

export const JobRun = z.object({
  schemaVersion: z.literal(1),
  job: z.string(),
  /** `rule`: a moment of the rule. `run`: a person wanted it now. Else as the job says. */
  kind: z.enum(['rule', 'run', 'event', 'condition']),
  /** The moment it was due by its rule, or began without one; epoch milliseconds. */
  instant: z.int(),
  state: OccurrenceState,
  /** Plain words that explain the state. */
  why: z.optional(z.string()),
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

/** The tool that lets a helper work on a part of a turn; its cap is its price. */
export const DELEGATE = 'delegate';

/** Whether it started at all. */
export const hasRun = (state: OccurrenceState): boolean => state !== 'skipped' && state !== 'missed';
