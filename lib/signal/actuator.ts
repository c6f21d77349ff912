/**
 * What Act asks of everything that performs an action. An actuator receives exactly the bytes the gates judged, adds
 * nothing to them (I4), and answers in one of four ways, so that Act can keep "one visible effect per logical action"
 * (I7) without knowing anything about the channel. It never throws for something the other side did or did not do.
 */
import type { Action } from './action.ts';
import type { Asker } from './asker.ts';
import type { Origin } from './signal.ts';

/**
 * - `done`:    performed. `output` is what is kept of it (and shown to the model), `origin` who wrote that output.
 * - `failed`:  not performed, or only in part as the reason says, and trying again cannot help.
 * - `retry`:   certainly not performed, except for the parts in `sentIds`; may be tried again,
 *   not before `afterMs` from now
 *              where it is given.
 * - `unknown`: sent, but nobody said what became of it. Only a person may resolve it; never resent blindly.
 *
 * Reasons are plain sentences without secrets.
 */
export type ActuatorResult =
  | { readonly state: 'done'; readonly output: string; readonly origin: Origin }
  | { readonly state: 'failed'; readonly reason: string }
  | {
      readonly state: 'retry';
      readonly reason: string;
      readonly afterMs?: number;
      readonly sentIds?: readonly number[];
    }
  | { readonly state: 'unknown'; readonly reason: string };

/** What an actuator may know beside the action. */
export interface ActuatorContext {
  /** The same for every try of one logical effect, and of no other: idempotency keys are made from it. */
  readonly effectId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Literal IP addresses the network gate judged; a connection may go to these and to no other. */
  readonly addresses: readonly string[];
  /** Worst origin of what the action was made from, as the gates were told it (I13). */
  readonly origin: Origin;
  /** Who began the turn, or typed the command. */
  readonly askedBy?: Asker | undefined;
  /** The signal whose decision holds the action. */
  readonly signalId: string;
  /** Message ids of the parts that earlier tries sent. */
  readonly sentIds?: readonly number[];
  /** Who stands behind it: the sender's id where a person's command asked for it, else `agent`. */
  readonly actor: string;
}

export interface Actuator {
  /** `once`: a second try could be seen twice. `idempotent`: the other side drops repeats of the same `effectId`. */
  readonly kind: 'once' | 'idempotent';
  readonly deliver: (action: Action, context: ActuatorContext) => Promise<ActuatorResult>;
}
