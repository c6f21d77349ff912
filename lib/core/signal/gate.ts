/**
 * A gate answers one question about one action. It is pure (I9): no clock, network, randomness or
 * store. All it may know is in the facts, so that any decision can be replayed.
 */
import * as z from 'zod/mini';
import { Action } from './action.ts';
import type { Facts } from './facts.ts';

/**
 * - `pass`: nothing against it
 * - `modify`: only in this changed form, which meets every gate again
 * - `ask`: only with a person's approval; a later block wins
 * - `block`: never; ends the run
 * `reason` is a plain sentence without secrets or untrusted text; empty for a bare pass.
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
  /** Raised with every change of behaviour: decisions name it through the gate set's version. */
  readonly version: number;
  /** SHA-256 of the code of a skill's gate, lower-case hex: it is a part of the set's version. */
  readonly code?: string;
  readonly check: (action: Action, facts: Facts) => Verdict;
}

/** One gate of a trace, in the order of the run. */
export const TraceEntry = z.strictObject({
  gate: z.string(),
  verdict: z.enum(['pass', 'modify', 'ask', 'block']),
  reason: z.string(),
});
export type TraceEntry = z.infer<typeof TraceEntry>;

/** A stored trace: a gate that passed silently may be its name alone. */
export const Trace = z.pipe(
  z.array(z.union([z.string(), TraceEntry])),
  z.transform((list: (string | TraceEntry)[]): TraceEntry[] =>
    list.map((entry) => (typeof entry === 'string' ? { gate: entry, verdict: 'pass', reason: '' } : entry)),
  ),
);

/** Frozen and shared, so that the engine need not check it again. */
export const PASS: Verdict = Object.freeze({ verdict: 'pass', reason: '' });
