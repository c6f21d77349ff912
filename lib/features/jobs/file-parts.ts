/** The code of the tools of jobs that reads YAML, as the work of a job may. */
import { JOB_FORM } from './job-form.ts';

export const JOB_PARTS = { JOB_FORM } as const;
