/** The work that jobs may have beside a prompt. `tools/job-form.ts` alone imports this list. */
import type { JobWork } from '../tools/job-work.ts';
import { runbookWork } from './runbooks/job-work.ts';

export const JOB_WORK: readonly JobWork[] = [runbookWork];
