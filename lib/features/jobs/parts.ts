/** All that the tools of jobs load with their first call. */
import { beginsAtOnce, describeJob, describeMade } from './describe-job.ts';
import { describeJobShortly, describeJobs } from './describe-jobs.ts';
import { jobTexts } from './job-texts.ts';

export const JOB_PARTS = {
  beginsAtOnce,
  describeJob,
  describeJobShortly,
  describeJobs,
  describeMade,
  jobTexts,
} as const;
