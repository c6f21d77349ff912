/**
 * An occurrence: one moment at which a job was to run, and what became of it. It is written before
 * the run starts, in the transaction that moves the job on, and it is a leaf of the evidence log.
 * The end of its turn closes it, by the effects and never by the words of the model. Pure.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { JobRun } from '../../core/signal/job-run.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Item } from '../../core/store/table.ts';
import { JobName } from './job.ts';

export const Occurrence = z.object({
  ...JobRun.shape,
  job: JobName,
  version: z.int(),
  /** Of a `rule`: the moment before it that was accounted for. No moment lies between the two. */
  after: z.optional(z.int()),
  /** How much later than its moment it started, milliseconds; only if `late`. */
  lateMs: z.optional(z.int()),
  /** The rule's time does not exist on that day's clock; this is the first moment after it. */
  isShifted: z.optional(z.literal(true)),
  /** When it was written, epoch milliseconds. */
  at: z.int(),
  /** Looks of the heartbeat at it so far. */
  looks: z.int(),
  unfinishedSpace: z.optional(z.string()),
  unfinishedAt: z.optional(z.int()),
});
export type Occurrence = z.infer<typeof Occurrence>;

export const parseOccurrence = (item: Item): Occurrence => parseStored(item, Occurrence);

/** The signal of a moment of the rule: the same moment always gives the same id. */
export const occurrenceId = (job: string, instant: number): string => `job-${job}-${instant}`;
/** The signal of a run that a person wanted. */
export const runId = (job: string, at: number): string => `job-${job}-${at}:run`;
/** The signal of a run for an event. */
export const eventRunId = (job: string, at: number, eventId: string): string =>
  `job-${job}-${at}:${createHash('sha256').update(eventId).digest('hex').slice(0, 8)}`;
