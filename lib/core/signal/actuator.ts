/**
 * The contract between Act and everything that performs an action. An actuator receives exactly the
 * judged bytes, adds nothing (I4), and answers in one of these ways, so that Act keeps one visible
 * effect for each action (I7). It never throws for something the other side did or did not do.
 */
import type { Language } from '../base/language.ts';
import type { Action } from './action.ts';
import type { Asker } from './asker.ts';
import type { Because } from './because.ts';
import type { Origin } from './signal.ts';

/**
 * - `done`: performed; `output` is shown to the model, `origin` says who wrote it
 * - `failed`: not performed, or only in part as the reason says; another try cannot help
 * - `refused`: the rules of the machine that was to perform it forbid it; nothing was done
 * - `retry`: may be tried again, after `afterMs` if given. Not performed except for `sentIds`, or
 *   `isInDoubt`: then it may have been, and the other side drops the repeat
 * - `handed`: a runner has it; its result comes later, at the latest at `until`
 * - `unknown`: sent, with an unknown outcome: only a person may resolve it (I7)
 * Reasons are plain sentences without secrets. An `output` beside a reason was written outside.
 * `because` is the code of an end that code acts upon.
 * `costUsd`: micro-dollars that it came to, if that is known, in place of the price paid before.
 */
export type ActuatorResult =
  | {
      readonly state: 'done';
      readonly output: string;
      readonly origin: Origin;
      readonly because?: Because;
      readonly costUsd?: number;
    }
  | {
      readonly state: 'failed';
      readonly reason: string;
      readonly because?: Because;
      readonly output?: string;
      readonly costUsd?: number;
    }
  | { readonly state: 'refused'; readonly reason: string; readonly output?: string }
  | {
      readonly state: 'retry';
      readonly reason: string;
      readonly because?: Because;
      readonly afterMs?: number;
      readonly sentIds?: readonly number[];
      readonly isInDoubt?: boolean;
      readonly costUsd?: number;
    }
  | { readonly state: 'handed'; readonly runner: string; readonly until: number }
  | { readonly state: 'unknown'; readonly reason: string; readonly output?: string };

/** The proof that a job for a runner carries. */
export interface HandOver {
  readonly decisionHash: string;
  /** Of the last mile's trace. */
  readonly traceHash: string;
  readonly consent?: { readonly kind: 'approval' | 'grant'; readonly id: string };
  /** When somebody last said that it may be done, epoch milliseconds. */
  readonly consentedAt: number;
}

export interface ActuatorContext {
  /** The same for every try of one effect: idempotency keys are made from it. */
  readonly effectId: string;
  readonly now: number;
  /** IP addresses that the network gate judged: a connection may go to no other. */
  readonly addresses: readonly string[];
  /** Worst origin of the action's sources (I13). */
  readonly origin: Origin;
  /** The person or program that began the turn, or typed the command. */
  readonly askedBy?: Asker | undefined;
  /** The signal whose decision holds the action, and its conversation. */
  readonly signalId: string;
  readonly session?: string;
  /** Many people read the answer. */
  readonly isInGroup?: boolean;
  /** Message ids of the parts that earlier tries sent. */
  readonly sentIds?: readonly number[];
  /** The action was forgotten while a machine had it: its output is stored nowhere. */
  readonly isForgotten?: boolean;
  /** Sender id of the person whose command asked for it, else `agent`. */
  readonly actor: string;
  /** Person who approved it on its card. */
  readonly approvedBy?: string;
  /** Version of the rules that it was judged by. */
  readonly policyVersion?: string;
  /** Only for the actuator of runners. */
  readonly handOver?: HandOver;
  /** It ends a turn that called tools, or whose first proposal was refused. */
  readonly endsWork?: boolean;
  /** The language of the chat, and its setting of lines below answers (`ChatSetting`). */
  readonly language?: Language;
  readonly lines?: string;
}

export interface Actuator {
  /** `once`: a second try could be seen twice. `idempotent`: the other side drops repeats. */
  readonly kind: 'once' | 'idempotent';
  /** Says it for one action, where that depends on the receiver. */
  readonly isOnce?: (action: Action) => boolean;
  readonly deliver: (action: Action, context: ActuatorContext) => Promise<ActuatorResult>;
  /** How an action ended that was handed on; `handed` if it has not. */
  readonly collect?: (action: Action, context: ActuatorContext) => Promise<ActuatorResult>;
  /** The end that was collected is stored: what was kept for it may go. */
  readonly forgetHanded?: (effectId: string, now: number) => Promise<void>;
}

/** An actuator that hands its actions on. */
export type HandingActuator = Actuator & Required<Pick<Actuator, 'collect' | 'forgetHanded'>>;
