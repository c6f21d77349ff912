/** A job as `GET /api/jobs/list` answers, as far as the page reads it. */
import type { Destination } from '../../../core/signal/destination.ts';

type When =
  | { readonly kind: 'once'; readonly at: string }
  | { readonly kind: 'every'; readonly minutes: number }
  | { readonly kind: 'cron'; readonly cron: string }
  | { readonly kind: 'event'; readonly source: string; readonly event?: string | undefined }
  | { readonly kind: 'condition'; readonly holds: string };

type Work =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'steps'; readonly steps: readonly ({ readonly say: string } | { readonly tool: string })[] }
  | { readonly kind: 'runbook'; readonly runbook: string; readonly inputs: Readonly<Record<string, string>> };

export interface ShownJob {
  readonly name: string;
  readonly state: string;
  readonly definition: { readonly when: When; readonly work: Work; readonly to: readonly Destination[] };
  /** When it is next due, epoch milliseconds. */
  readonly nextAt?: number | undefined;
  readonly pausedBecause?: string | undefined;
  readonly isBehind: boolean;
  readonly line: string;
  readonly work?: string | undefined;
  readonly isBuiltIn?: boolean | undefined;
}
