/**
 * The evidence for habits: actions that a person decided on, calls that failed, and sentences of
 * the owner. Each piece says whether outside text or another person had a part in it: such a piece
 * never supports an offer.
 */
import type { Action } from '../../core/signal/action.ts';
import type { Asker } from '../../core/signal/asker.ts';
import type { Origin, Sensor } from '../../core/signal/signal.ts';

interface Piece {
  /** `<signal>#<n>`, or the signal. */
  readonly id: string;
  readonly at: number;
  /** Only the owner's words and the agent's led to it. */
  readonly isClean: boolean;
}

export interface AskedAction extends Piece {
  readonly action: Action;
  readonly session: string;
  /** Kind of the signal that began the turn. */
  readonly sensor: Sensor;
  readonly ending: 'approved' | 'denied';
  /** Gates that asked. */
  readonly gates: readonly string[];
  readonly policyVersion: string;
}

export interface FailedCall extends Piece {
  readonly tool: string;
  readonly reason: string;
}

export interface SaidSentence extends Piece {
  readonly text: string;
}

export interface Evidence {
  readonly asked: readonly AskedAction[];
  readonly failed: readonly FailedCall[];
  readonly said: readonly SaidSentence[];
}

/** An offer that was made before, and what a person said to it. */
export interface EarlierOffer {
  readonly shape: string;
  /** When its card was made, epoch milliseconds. */
  readonly at: number;
  readonly ending: 'open' | 'accepted' | 'denied' | 'expired';
}

/** Whether nobody but the owner and the agent led to something. Anything unknown counts as not. */
export const isCleanTurn = (asker: Asker | undefined, origins: readonly (Origin | undefined)[]): boolean =>
  (asker === 'approver' || asker === 'owner') &&
  origins.length > 0 &&
  origins.every((origin) => origin === 'owner' || origin === 'agent');
