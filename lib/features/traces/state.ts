/**
 * How far traces were sent: one row, which the function of traces alone writes. Turns are found by
 * the feed of signals, in the order in which they began.
 */
import * as z from 'zod/mini';
import type { Key } from '../../core/store/keys.ts';

const Count = z.int().check(z.nonnegative());
/** Id of a turn's root → when it began, epoch milliseconds. */
const Roots = z.record(z.string(), z.int());

export const TraceState = z.object({
  schemaVersion: z.literal(1),
  /** 128 random bits: names of conversations become pseudonyms with them. */
  salt: z.string(),
  /** Every turn that began before is sent, counted, or among `open`. Epoch milliseconds. */
  since: z.int(),
  /** Turns that began since and are done with. */
  done: Roots,
  /** Turns that go on. */
  open: Roots,
  /** Turns so far: those that were taken, those that were refused, and those never sent. */
  sent: Count,
  refused: Count,
  left: Count,
  /** Spans of turns taken that the collector did not want. */
  rejectedSpans: Count,
  /** The last try: its time, and how it ended; no field before there was one. */
  triedAt: z.optional(z.int()),
  last: z.optional(z.enum(['taken', 'refused', 'away'])),
  /** HTTP status of the last answer; 0 if there was none. */
  status: z.optional(z.int()),
});
export type TraceState = z.infer<typeof TraceState>;

export const traceKey = (space: string): Key => ({ pk: `trace#${space}`, sk: 'state' });
