/** The verbs of jobs: what runs by itself, and when. */

import * as z from 'zod/mini';
import type { Change, Look } from '../../core/operations/operation.ts';
import { OccurrenceState } from '../../core/signal/job-run.ts';
import { JobName } from './job.ts';
import { JOB_LINE_USAGE, parseJobLine } from './parse-job-line.ts';
import { ShownJob } from './shown-job.ts';

/** Occurrences that one answer shows: those of a day, if a job runs each hour. */
const HISTORY_LINES_DEFAULT = 24;
/** One page, and no more lines than a person reads. */
export const HISTORY_LINES_MAX = 100;

const name = z.string().check(z.toLowerCase(), z.describe('name of the job'));
const one = z.strictObject({ name: z.pipe(name, JobName) });

const ShownOccurrence = z.looseObject({
  signalId: z.string(),
  /** Epoch milliseconds, as `at` and `closedAt`. */
  instant: z.int(),
  kind: z.string(),
  state: OccurrenceState,
  version: z.int(),
  at: z.int(),
  why: z.optional(z.string()),
  lateMs: z.optional(z.int()),
  isShifted: z.optional(z.boolean()),
  closedAt: z.optional(z.int()),
});

const rights = { needs: 'owner', where: 'named' } as const;

export const tasks = {
  kind: 'look',
  name: 'tasks',
  summary: 'what jobs and helpers work on now, in the background',
  args: z.strictObject({}),
  data: z.looseObject({ tasks: z.array(z.looseObject({ signalId: z.string(), job: JobName, at: z.int() })) }),
  ...rights,
} as const satisfies Look;

export const jobsList = {
  kind: 'look',
  name: 'jobs list',
  summary: 'every job, and when it is next due',
  args: z.strictObject({ cursor: z.optional(z.string().check(z.describe('of the page before'))) }),
  data: z.looseObject({ jobs: z.array(ShownJob), cursor: z.optional(z.string()) }),
  ...rights,
  isDefault: true,
} as const satisfies Look;

export const jobsShow = {
  kind: 'look',
  name: 'jobs show',
  summary: 'all of one job in words',
  args: one,
  words: ['name'],
  data: ShownJob,
  ...rights,
} as const satisfies Look;

export const jobsHistory = {
  kind: 'look',
  name: 'jobs history',
  summary: 'what became of each moment of a job, the newest first',
  args: z.strictObject({
    name: z.pipe(name, JobName),
    count: z._default(
      z.coerce
        .number()
        .check(z.int(), z.minimum(1), z.maximum(HISTORY_LINES_MAX), z.describe('moments that are shown')),
      HISTORY_LINES_DEFAULT,
    ),
  }),
  words: ['name', 'count'],
  data: z.looseObject({ occurrences: z.array(ShownOccurrence) }),
  ...rights,
} as const satisfies Look;

export const jobsDryRun = {
  kind: 'change',
  name: 'jobs dry-run',
  summary: 'what a run of a job would do now, without doing it',
  args: one,
  words: ['name'],
  ...rights,
} as const satisfies Change;

/** The form of `schedule-job` reads the fields, and names what is wrong with them. */
const draft = {
  kind: 'change',
  args: z.looseObject({ name: z.string().check(z.describe('name of the job; all else as in schedule-job')) }),
  readWords: parseJobLine,
  form: `<name> ${JOB_LINE_USAGE}, such as tea every 2h: remind me to drink`,
  // Its card asks an approver.
  ...rights,
  isTypedYes: true,
} as const;

export const jobsAdd = {
  name: 'jobs add',
  summary: 'make a job: when it runs, and what it does',
  ...draft,
  undoes: { 'remove-job': ['removed'] },
} as const satisfies Change;

export const jobsEdit = {
  name: 'jobs edit',
  summary: 'change a job; what is left out stays',
  ...draft,
} as const satisfies Change;

const change = {
  kind: 'change',
  args: one,
  words: ['name'],
  needs: 'approver',
  where: 'named',
  isTypedYes: true,
} as const;

export const jobsPause = {
  name: 'jobs pause',
  summary: 'let a job wait until it is resumed',
  ...change,
  undoes: { 'resume-job': ['active'] },
} as const satisfies Change;
export const jobsResume = {
  name: 'jobs resume',
  summary: 'let a paused job go on',
  ...change,
  undoes: { 'pause-job': ['paused'] },
} as const satisfies Change;
export const jobsRun = { name: 'jobs run', summary: 'run a job now, beside its rule', ...change } as const;
export const jobsRemove = {
  name: 'jobs remove',
  summary: 'end a job; its history stays',
  ...change,
  undoes: { 'schedule-job': ['active', 'paused'] },
} as const satisfies Change;

export const JOB_OPERATIONS = [
  tasks,
  jobsList,
  jobsShow,
  jobsHistory,
  jobsDryRun,
  jobsAdd,
  jobsEdit,
  jobsPause,
  jobsResume,
  jobsRun,
  jobsRemove,
] as const;
