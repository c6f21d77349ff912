/**
 * The view of a signal, as every door shows it: the page, the command line and other people's
 * scripts rely on these members, so members are added and never changed. Approval ids and the texts
 * of approval cards never appear in it (I5).
 */
import type { Action } from '../../signal/action.ts';
import type { Consensus, Decision, MemoryPosition, Proposal, SeenObject, ShownSkill } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import type { ShownState } from './plain-words.ts';

/** `waiting` was not sent and is tried again; a claim past its lease is `unknown`. */
export type ShownEffectState =
  | 'done'
  | 'failed'
  | 'unknown'
  | 'refused'
  | 'suspended'
  | 'claimed'
  | 'waiting'
  | 'handed';

export interface AttemptView {
  readonly n: number;
  readonly at: number;
  readonly provider: string;
  readonly model: string;
  readonly tier?: string;
  /** Why this tier. */
  readonly tierBecause?: string;
  /** Providers that failed before this one, one line each. */
  readonly failures?: readonly string[];
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Micro-dollars of the turn so far. */
  readonly turnUsd?: number;
  /** null if the answer could not be parsed; `problem` says why. */
  readonly proposal: Proposal | null;
  readonly problem?: string;
  /** A second opinion beside the accepted attempt. */
  readonly isVote?: true;
  /** Entries of all actions in order; `n` is the action's number. */
  readonly trace: readonly (TraceEntry & { readonly n: number })[];
}

export interface ActionView {
  readonly n: number;
  /** Its sentence for a person. */
  readonly sentence: string;
  readonly action: Action;
  readonly actionHash: string;
  /** State of its effect; `pending` before there is one. */
  readonly state: ShownEffectState | 'pending';
  readonly trace: readonly TraceEntry[];
}

export interface EffectView {
  readonly n: number;
  readonly actuator: string;
  readonly state: ShownEffectState;
  readonly actionHash: string;
  /** Act's own judgement of the bytes it performed (I4). */
  readonly trace: readonly TraceEntry[];
  readonly tries: number;
  readonly reason?: string;
  readonly output?: string;
  /** The grant it spent a use of. */
  readonly grantId?: string;
  readonly resolution?: 'done' | 'retry';
  readonly claimedAt?: number;
  readonly settledAt?: number;
}

export interface DecisionView {
  readonly gateSet: string;
  readonly policyVersion: string;
  readonly at: number;
  readonly outcome: Decision['outcome'];
  readonly reason: string;
  /** The state of memory, and the objects its prompt showed, by version. */
  readonly memory?: MemoryPosition;
  readonly seen?: readonly SeenObject[];
  /** Of the stored settings, if code alone decided; with a model it stands beside its choice. */
  readonly settingsVersion?: number;
  /** The added skill whose text its prompt showed. */
  readonly skill?: ShownSkill;
  /** If several models were asked: each one's proposal by hash, and the one that was taken. */
  readonly consensus?: Consensus;
  readonly attempts: readonly AttemptView[];
  readonly actions: readonly ActionView[];
}

/** `refused`: by a rule, a right or a form, and nothing was done. */
export type EffectOutcome = 'done' | 'refused' | 'failed' | 'unknown';

/** A script without `read` gets this part alone. */
export interface TurnView {
  readonly id: string;
  readonly state: ShownState;
  readonly session: string;
  readonly sender: string;
  readonly receivedAt: number;
  readonly replies: readonly string[];
  /** The signal and all it caused: `running`, `waiting` for a person, or `ended`. */
  readonly turn: 'running' | 'waiting' | 'ended';
  /** False while the result of a tool may still go back to the model. */
  readonly isTurnClosed: boolean;
  /** How the signal itself ended, without what it caused; undefined until then. */
  readonly outcome?: EffectOutcome;
}

export interface SignalView extends TurnView {
  readonly stateReason?: string;
  readonly source: string;
  readonly sensor: string;
  readonly root: string;
  readonly parent?: string;
  readonly depth: number;
  /** The text in pieces, each with its origin; empty for signals without text. */
  readonly text: readonly { readonly text: string; readonly origin: string; readonly label?: string | undefined }[];
  readonly decision: DecisionView | null;
  /** Attempts made so far, while there is no decision yet. */
  readonly attempts?: readonly AttemptView[];
  readonly effects: readonly EffectView[];
  /** Lines about the moment of a job that it stands for, and about versions that it made. */
  readonly changes?: readonly string[];
  readonly children: readonly string[];
  /** How many rules there are now, and which were learned. */
  readonly rules?: string;
  /** Messages that wait in its conversation now, and the object in focus, once the turn is over. */
  readonly waiting?: number;
  readonly focus?: string;
  /** Stored items this release cannot read, with the reason. */
  readonly unreadable?: readonly string[];
}
