/** The work that jobs may have beside a prompt. `jobs/job-form.ts` alone imports this list. */
import type { JobWork } from './jobs/work.ts';
import { runbookWork } from './runbooks/job-work.ts';

export const JOB_WORK: readonly JobWork[] = [runbookWork];
