/**
 * A gate: one pure question about one action. No clock, network, randomness or store in here (I9): everything a gate
 * may know is in the facts, which are gathered before and stored with the verdict, so that any decision can be replayed.
 */
import * as z from 'zod/mini';
import { Action } from './action.ts';
import type { Facts } from './facts.ts';

/**
 * - `pass`:   nothing against it
 * - `modify`: only in this changed form; the changed action meets every gate again
 * - `ask`:    only with a person's approval; the run goes on, and a later block wins
 * - `block`:  never; ends the run
 * `reason` is a plain sentence; it never quotes a matched secret or outside text. Empty for a bare pass.
 */
export const Verdict = z.discriminatedUnion('verdict', [
  z.strictObject({ verdict: z.literal('pass'), reason: z.string() }),
  z.strictObject({ verdict: z.literal('modify'), reason: z.string(), action: Action }),
  z.strictObject({ verdict: z.literal('ask'), reason: z.string() }),
  z.strictObject({ verdict: z.literal('block'), reason: z.string() }),
]);
export type Verdict = z.infer<typeof Verdict>;

export interface Gate {
  /** Lower-case words joined by `-`; unique. */
  readonly name: string;
  /** Highest first; ties break by name. */
  readonly priority: number;
  /** Raised with every change of behaviour: part of the gate-set version that decisions name. */
  readonly version: number;
  readonly check: (action: Action, facts: Facts) => Verdict;
}

/** One line of a gate trace: every gate that ran, in order. */
export const TraceEntry = z.strictObject({
  gate: z.string(),
  verdict: z.enum(['pass', 'modify', 'ask', 'block']),
  reason: z.string(),
});
export type TraceEntry = z.infer<typeof TraceEntry>;

/** A trace as it is stored: a gate that passed without a word may be its name alone. Read, it is whole again. */
export const Trace = z.pipe(
  z.array(z.union([z.string(), TraceEntry])),
  z.transform((list: (string | TraceEntry)[]): TraceEntry[] =>
    list.map((entry) => (typeof entry === 'string' ? { gate: entry, verdict: 'pass', reason: '' } : entry)),
  ),
);

/** The bare pass. Frozen, so that it may be shared: the engine knows it and skips checking it again. */
export const PASS: Verdict = Object.freeze({ verdict: 'pass', reason: '' });
