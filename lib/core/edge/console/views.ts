/**
 * The shapes of the console's answers, as the page and other people's scripts read them. They rely
 * on these: members are added, never changed. Approval ids and the texts of approval cards never
 * appear in a signal (I5).
 */

import type { StopCause } from '../../ledger/record.ts';
import type { ChannelId } from '../../signal/channels.ts';
import type { JobRun } from '../../signal/job-run.ts';
import type { ShownState } from '../../wings/signals/plain-words.ts';

export interface ListedSignal {
  readonly id: string;
  readonly state: ShownState;
  readonly source: string;
  readonly session: string;
  /** Conversation that its replies go to, such as `console:main`; a job has its own beside it. */
  readonly answeredIn: string;
  /** The chat of that place, as settings name it; absent if it is none. */
  readonly chat?: string;
  readonly sensor: string;
  readonly depth: number;
  readonly root: string;
  /** `console-approver`, `script:<name>`, `telegram:<user>`, `webhook:<source>` or `system`. */
  readonly sender: string;
  readonly receivedAt: number;
  /** Of a turn that ended although the last call of a tool of it failed, or may have. */
  readonly outcome?: 'failed' | 'unknown';
  /** The first piece of text, or what the signal is in a person's words. */
  readonly text: string;
  /** Its name for a person; the page says it in its language, and `text` in English. */
  readonly about?:
    | {
        readonly kind: 'step';
        readonly runbook: string;
        /** Of its run, such as `done`. */
        readonly state: string;
        readonly n?: number;
        readonly of?: number;
      }
    | { readonly kind: 'job'; readonly job: string; readonly hasRun: boolean }
    | {
        readonly kind: 'approval';
        readonly decision: 'approve' | 'deny' | 'allow-similar' | 'allow-task' | 'show-similar' | 'hide-similar';
        readonly sentence: string;
      };
  /** The kind of an event, as its service calls it. */
  readonly event?: string;
  /** The job that it is a run of, or that took the event. */
  readonly job?: string;
  /** Tools that its turn called. */
  readonly tools?: readonly string[];
  /** Micro-dollars of its model calls; only if the list was asked for a cost. */
  readonly cost?: number;
  /** Only of a run of a job, and of a moment that it missed or skipped: when it was due. */
  readonly occurrence?: Pick<JobRun, 'state' | 'instant' | 'why'>;
}

export interface StoppedSessionView {
  readonly session: string;
  readonly because: StopCause;
  readonly stoppedAt: number;
  /** The signal that went over the bound: its record says what was blocked, or asked for. */
  readonly signalId: string;
}

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy' | 'unknown';

/** How each channel that sends messages is connected. */
export type ChannelStates = Readonly<Partial<Record<ChannelId, string>>>;

export interface Health {
  readonly status: HealthStatus;
  readonly reasons: readonly string[];
  /** Of each reason. */
  readonly codes: readonly string[];
  /** Why it cannot answer. */
  readonly because?: string;
  readonly checks: ChannelStates & {
    readonly table: 'ok' | 'unreachable';
    /** Seconds since the last heartbeat; null before the first one. */
    readonly heartbeatAgeSeconds: number | null;
    readonly isStopped: boolean | null;
    readonly models: readonly string[];
    /** A line for each model whose server differs from the interface it follows. */
    readonly oddities: readonly string[];
    /** Among the newest signals, in the last hour. */
    readonly deadLetters: number | null;
  };
  readonly assistant: string;
  /** The release of the stack, and what it understands. */
  readonly release: {
    readonly version: string;
    /** A newer release, if one is known. */
    readonly newer?: string;
    /** The newest version of stored data that it reads. */
    readonly data: number;
    readonly api: number;
    /** Version of the gates that judge now; null if it cannot be told. */
    readonly gateSet: string | null;
    /** The nouns of its verbs. */
    readonly capabilities: readonly string[];
  };
}
