/** All that the tools of jobs load with their first call. */
import { beginsAtOnce, describeJob, describeMade } from '../../core/jobs/describe-job.ts';
import { jobTexts } from '../../core/jobs/texts.ts';
import { describeJobShortly, describeJobs } from './describe-jobs.ts';

export const JOB_PARTS = {
  beginsAtOnce,
  describeJob,
  describeJobShortly,
  describeJobs,
  describeMade,
  jobTexts,
} as const;
