/**
 * The shapes of the console's answers, as the page and other people's scripts read them. They rely
 * on these: members are added, never changed. Approval ids and the texts of approval cards never
 * appear in a signal (I5).
 */
import type { Approval, CardLines, FlightStage } from '../../approvals/approval.ts';
import type { JobDefinition, JobState } from '../../jobs/job.ts';
import type { StopCause } from '../../ledger/record.ts';
import type { Action } from '../../signal/action.ts';
import type { Consensus, Decision, MemoryPosition, Proposal, SeenObject, ShownSkill } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import type { ShownState } from '../../stages/explain/plain-words.ts';

/**
 * `claimed` is under way; `waiting` until its channel is reachable; a claim past its lease is shown
 * as `unknown`.
 */
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
  /** What it does, for a person. */
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
  /** The added skill whose text its prompt showed. */
  readonly skill?: ShownSkill;
  /** If several models were asked: each one's proposal by hash, and the one that was taken. */
  readonly consensus?: Consensus;
  readonly attempts: readonly AttemptView[];
  readonly actions: readonly ActionView[];
}

/** A script without `read` gets this part alone. */
/** `refused`: by a rule, a right or a form, and nothing was done. */
export type Outcome = 'done' | 'refused' | 'failed' | 'unknown';

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
  readonly outcome?: Outcome;
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
  /** Stored items this release cannot read, with the reason. */
  readonly unreadable?: readonly string[];
}

export interface ListedSignal {
  readonly id: string;
  readonly state: ShownState;
  readonly source: string;
  readonly session: string;
  /** Conversation that its replies go to, such as `console:main`; a job has its own beside it. */
  readonly answeredIn: string;
  readonly sensor: string;
  readonly depth: number;
  readonly root: string;
  /** `console-approver`, `script:<name>`, `telegram:<user>`, `webhook:<source>` or `system`. */
  readonly sender: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The first piece of text, or what the signal is in a person's words. */
  readonly text: string;
}

/** Its lines are those of the card: the sentence, what is unusual, and all the rest. */
export interface ApprovalView extends CardLines {
  /** Why nothing like it may be allowed in advance; empty if it may. */
  readonly similarProblem: string;
  /** Only for an approver: the id is the capability itself (I5). */
  readonly id?: string;
  readonly signalId: string;
  readonly n: number;
  readonly session: string;
  readonly action: Action;
  readonly reasons: readonly string[];
  /** The same, each with its gate. */
  readonly asks?: Approval['asks'] | undefined;
  /** The person who started the turn, and the source of outside text in it. */
  readonly requester?: string | undefined;
  readonly taintSource?: string | undefined;
  /** Micro-dollars: the cost, and what was left of the day when it was asked for. */
  readonly costs?: Approval['costs'] | undefined;
  readonly stage: FlightStage;
  /** Person who decided, and when. */
  readonly decider?: string | undefined;
  readonly decidedAt?: number | undefined;
  readonly spentAt?: number | undefined;
  /** Epoch milliseconds, both. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface GrantView {
  readonly id: string;
  /** The whole grant, in one line for a person. */
  readonly description: string;
  readonly target: string;
  readonly tool?: string;
  readonly uses: number;
  readonly usesMax: number;
  /** Epoch milliseconds, both. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly createdBy: string;
  readonly session?: string;
  readonly taintSource?: string;
}

export interface JobView {
  readonly name: string;
  readonly version: number;
  readonly state: JobState;
  readonly definition: JobDefinition;
  /** Runs that have not ended; failures in a row. */
  readonly running: number;
  readonly failures: number;
  /** When it is next due, epoch milliseconds. */
  readonly nextAt?: number;
  /** Only of a paused job: `paused`, or how many failures paused it. */
  readonly pausedBecause?: string;
  /** It is due, and no heartbeat has started it. */
  readonly isBehind: boolean;
  /** The job in one line for a person. */
  readonly line: string;
}

export interface StoppedSessionView {
  readonly session: string;
  readonly because: StopCause;
  /** Epoch milliseconds. */
  readonly stoppedAt: number;
  /** The signal that went over the bound: its record says what was blocked, or asked for. */
  readonly signalId: string;
}

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy' | 'unknown';

export interface Health {
  readonly status: HealthStatus;
  readonly reasons: readonly string[];
  readonly checks: {
    readonly table: 'ok' | 'unreachable';
    /** Seconds since the last heartbeat; null before the first one. */
    readonly heartbeatAgeSeconds: number | null;
    readonly isStopped: boolean | null;
    readonly models: readonly string[];
    readonly telegram: string;
    /** Among the newest signals, in the last hour. */
    readonly deadLetters: number | null;
  };
  readonly assistant: string;
}
