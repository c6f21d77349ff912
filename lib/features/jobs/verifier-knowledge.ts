/** The knowledge about jobs that a verifier of exports is given. */
import type { MomentsBetween } from '../../core/evidence/verifier/job-moments.ts';
import { When } from './job.ts';
import { momentsBetween } from './rule.ts';

/** Rules are computed with the time zones that this machine knows. */
export const computeMoments: MomentsBetween = (when, after, until, most) =>
  momentsBetween(When.parse(when), after, until, most);

export const JOB_KNOWLEDGE = { momentsBetween: computeMoments } as const;
