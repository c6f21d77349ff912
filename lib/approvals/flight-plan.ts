/**
 * The flight plan: an approval's record as a person reviews it, from the plan to what became of it. A view and nothing else:
 * there is no such object to edit (I14). Pure.
 */
import type { Approval } from './approval.ts';

export const STAGES = ['PLAN', 'APPROVED', 'DENIED', 'EXPIRED', 'DONE'] as const;
export type FlightStage = (typeof STAGES)[number];

/** One past its time counts as expired before any sweep has said so. */
export const stageOf = (approval: Pick<Approval, 'state' | 'expiresAtMs'>, now: number): FlightStage => {
  switch (approval.state) {
    case 'pending':
      return now < approval.expiresAtMs ? 'PLAN' : 'EXPIRED';
    case 'approved':
      return 'APPROVED';
    case 'denied':
      return 'DENIED';
    case 'expired':
      return 'EXPIRED';
    case 'spent':
      return 'DONE';
    default:
      return approval.state satisfies never;
  }
};
