/** Jobs in the answers of other verbs: `/status`, `/doctor`, `/approvals` and `/undo`. */
import { JsonObject } from '../../core/base/json.ts';
import type { FeatureViews, LookAtChange } from '../../core/operations/feature-views.ts';
import { describeJobShortly } from './describe-jobs.ts';
import { JobArgs, JobDefinition } from './job.ts';
import { findJobProblems } from './job-problems.ts';
import { jobTexts } from './job-texts.ts';
import { findBehind, loadJob, lookAtJobs } from './read-jobs.ts';
import { shortRule } from './rule-words.ts';
import { jobAnswers } from './texts.ts';
import { scheduleJob } from './tools.ts';

/** Paused jobs, and the job that is due next: one query. */
const status: FeatureViews['status'] = async ({ table, space, zone, now, language }) => {
  const [say, words] = await Promise.all([jobAnswers.in(language), jobTexts.in(language)]);
  const { jobs, cursor } = await lookAtJobs(table, space);
  const paused = jobs.filter(({ state }) => state === 'paused').map(({ name }) => name);
  const [next] = jobs
    .filter(({ unfinishedAt }) => unfinishedAt !== undefined)
    .sort((a, b) => (a.unfinishedAt ?? 0) - (b.unfinishedAt ?? 0));
  const lines = [
    ...(paused.length === 0 ? [] : [say.paused(paused.join(', '))]),
    ...(next === undefined || cursor !== undefined ? [] : [say.next(describeJobShortly(words, next, zone, now))]),
  ];
  return { lines, data: { pausedJobs: paused } };
};

const lookAtJob: LookAtChange = async ({ table, signal }, { args }) => {
  const job = await loadJob(table, signal.space, String(args.name));
  if (job === undefined) return undefined;
  const { state, name, definition } = job;
  if (state !== 'removed') return { state, args: { name } };
  // A verb takes a draft, and this is a whole definition.
  return { state, args: JsonObject.parse(JobDefinition.parse(definition)), by: scheduleJob.name };
};

export const JOB_VIEWS: FeatureViews = {
  status,
  findBehind: ({ table, space }, upTo) => findBehind(table, space, upTo),
  findProblems: ({ table, space }) => findJobProblems(table, space),
  nameCall: async (tool, args, language) => {
    const job = tool === scheduleJob.name ? JobArgs.safeParse(args).data : undefined;
    if (job === undefined) return undefined;
    const words = await jobTexts.in(language);
    return words.waiting(job.name, shortRule(job.when, words));
  },
  changes: { job: lookAtJob },
};
