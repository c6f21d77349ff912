/**
 * The shapes of the console's answers, as the page and other people's scripts read them. They rely
 * on these: members are added, never changed. Approval ids and the texts of approval cards never
 * appear in a signal (I5).
 */
import type { Approval, CardLines, FlightStage } from '../../approvals/approval.ts';
import type { JobDefinition, JobState } from '../../jobs/job.ts';
import type { StopCause } from '../../ledger/record.ts';
import type { Action } from '../../signal/action.ts';
import type { ShownState } from '../../stages/explain/plain-words.ts';

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
