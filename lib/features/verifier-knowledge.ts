/** The knowledge of features for a verifier of exports: in a terminal, on the page, of a backup. */
import type { VerifyOptions } from '../core/evidence/verifier/verify-export.ts';
import { JOB_KNOWLEDGE } from './jobs/verifier-knowledge.ts';
import { SKILL_KNOWLEDGE } from './skills/built-in-jobs.ts';

export const VERIFIER_KNOWLEDGE: Pick<VerifyOptions, 'momentsBetween' | 'builtInJobs'> = {
  ...JOB_KNOWLEDGE,
  ...SKILL_KNOWLEDGE,
};
