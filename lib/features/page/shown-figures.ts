/** The answer of GET /api/figures. */

/** The events since a moment, and the last days in numbers. */
export interface Figures {
  /** Events by service and kind, the most frequent first. */
  readonly events: readonly { readonly source: string; readonly event: string; readonly count: number }[];
  /** Runs of runbooks that were done, by name. */
  readonly runs: readonly { readonly runbook: string; readonly count: number }[];
  /** Messages that were answered, runs of jobs, and turns that failed or were given up. */
  readonly answered: number;
  readonly jobs: number;
  readonly failed: number;
  /** There were more signals than one answer reads: since that moment, and in the last day. */
  readonly isCut: boolean;
  readonly isDayCut: boolean;
  /** Events in each of the last 24 hours, the oldest first; `at` is its beginning. */
  readonly hours: readonly { readonly at: number; readonly count: number }[];
  /** Micro-dollars of each of the last 7 days, in UTC, the oldest first. */
  readonly days: readonly { readonly day: string; readonly usd: number }[];
  /** The last messages that a model answered, the oldest first: until the decision. */
  readonly latency: readonly { readonly id: string; readonly at: number; readonly ms: number }[];
}
