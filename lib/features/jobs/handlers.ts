/**
 * The answers to the verbs of jobs. A change is one call of a tool, which Act performs: making and
 * editing ask an approver on the card; the others do not, because an approver typed them.
 */

import { localTime } from '../../core/base/clock.ts';
import { defined } from '../../core/base/defined.ts';
import { NotFoundError, ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import type { FormReads } from '../../core/judge/fact-sources.ts';
import { formContext } from '../../core/judge/form-context.ts';
import { type CodeAnswer, type CodeContext, say } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { buildLookups } from '../../core/tools/form-lookups.ts';
import { parseJobName } from './complete-job.ts';
import { describeJob, describeOccurrence } from './describe-job.ts';
import { describeJobShortly, describeMore, describeWork, purposeOf } from './describe-jobs.ts';
import { zoneOf } from './describe-rule.ts';
import { dryRun } from './dry-run.ts';
import type { Job } from './job.ts';
import { JOB_FORM, workLines } from './job-form.ts';
import { jobTexts } from './job-texts.ts';
import { jobNotices } from './notice-texts.ts';
import {
  HISTORY_LINES_MAX,
  jobsAdd,
  jobsDryRun,
  jobsEdit,
  jobsHistory,
  jobsList,
  jobsPause,
  jobsRemove,
  jobsResume,
  jobsRun,
  jobsShow,
  tasks,
} from './operations.ts';
import { loadHistory, loadJob, loadTasks, loadVersion, lookAtJobs } from './read-jobs.ts';
import type { ShownJob } from './shown-job.ts';
import { jobAnswers } from './texts.ts';

/** A job that is due for so long was not seen by any heartbeat: two in a row were lost. */
const BEHIND_AFTER_MS = 3 * MINUTE_MS;

/** For programs, and in one line for whoever reads the answer. */
const showJob = async (
  { table, space, now, zone, language }: LookContext,
  job: Job,
): Promise<{ shown: ShownJob; line: string }> => {
  const { name, version, state, definition, running, failures, unfinishedAt: nextAt } = job;
  const last = state === 'paused' ? await loadVersion(table, space, name, version) : undefined;
  const why = last?.why === state ? undefined : last?.why;
  const shown = {
    ...{ name, version, state, definition, running, failures },
    ...defined({ nextAt, pausedBecause: last?.why }),
    isBehind: nextAt !== undefined && nextAt < now - BEHIND_AFTER_MS,
    line: describeJobShortly(jobTexts.en, job, zone, now, why),
    work: describeWork(jobTexts.en, job, zone),
    ...(purposeOf(name) !== undefined ? { isBuiltIn: true } : {}),
  };
  return { shown, line: describeJobShortly(await jobTexts.in(language), job, zone, now, why) };
};

type JobContext = Pick<LookContext, 'table' | 'space' | 'language'>;

/** The job, also a removed one, whose history can still be read. @throws NotFoundError */
const loadNamed = async ({ table, space, language }: JobContext, name: string): Promise<Job> => {
  const job = await loadJob(table, space, name);
  if (job === undefined) throw new NotFoundError((await jobAnswers.in(language)).noJobNamed(name));
  return job;
};

/** @throws NotFoundError also for a removed one */
const loadPresent = async (context: JobContext, name: string): Promise<Job> => {
  const job = await loadNamed(context, name);
  if (job.state === 'removed') throw new NotFoundError((await jobAnswers.in(context.language)).noJobNamed(name));
  return job;
};

/** @throws ProtocolError */
const checkIsNew = async ({ table, signal, language }: CodeContext, name: string): Promise<void> => {
  const job = await loadJob(table, signal.space, name);
  if (job !== undefined && (job.state === 'active' || job.state === 'paused'))
    throw new ProtocolError((await jobAnswers.in(language)).isThere(name));
};

/** The call that makes or changes a job, with its arguments whole. @throws ProtocolError */
export const schedule = async (context: CodeContext, args: JsonObject): Promise<CodeAnswer> => {
  const { table, signal } = context;
  if (args.edit !== true && typeof args.name === 'string') await checkIsNew(context, parseJobName(args.name));
  const { space } = signal;
  const reads: FormReads = {
    readRow: (keyIn) => loadItem(table, keyIn(space)),
    loadLookups: async () => buildLookups(table, space),
  };
  const form = formContext({ ...context, reply: signal.reply, setup: context, reads });
  const [problem] = await JOB_FORM.findProblems(args, form);
  if (problem !== undefined) throw new ProtocolError(problem);
  return { call: { tool: 'schedule-job', args: await JOB_FORM.complete(args, form) } };
};

export const JOB_HANDLERS: readonly Handler[] = [
  look(tasks, async ({ table, space, zone, language }) => {
    const [say, words] = await Promise.all([jobAnswers.in(language), jobTexts.in(language)]);
    const found = await loadTasks(table, space);
    const lines = found.map(({ signalId, job, at }) => say.since(job, localTime(words, at, zone), signalId));
    return {
      data: { tasks: [...found] },
      lines: lines.length === 0 ? [say.noTasks] : [...lines, say.toEnd],
    };
  }),
  look(jobsList, async (context, { cursor }) => {
    const [say, words] = await Promise.all([jobAnswers.in(context.language), jobTexts.in(context.language)]);
    const live = await lookAtJobs(context.table, context.space, cursor);
    const jobs = await Promise.all(live.jobs.map((job) => showJob(context, job)));
    const lines = [...jobs.map(({ line }) => line), ...describeMore(words, live.cursor)];
    if (live.unread > 0) lines.push(say.unread(live.unread));
    return {
      data: { jobs: jobs.map(({ shown }) => shown), ...defined({ cursor: live.cursor }) },
      lines: lines.length === 0 ? [say.none] : lines,
    };
  }),
  look(jobsShow, async (context, { name }) => {
    const { table, space, zone, now, language } = context;
    const job = await loadPresent(context, name);
    const words = await jobTexts.in(language);
    const steps = await workLines(job.definition, { loadLookups: async () => buildLookups(table, space) });
    const { shown, line } = await showJob(context, job);
    return {
      data: shown,
      lines: [line, ...describeJob(words, job.definition, { zone, now, isPaused: job.state === 'paused' }), ...steps],
    };
  }),
  look(jobsHistory, async (context, { name, count }) => {
    const { table, space, zone, language } = context;
    const [say, words] = await Promise.all([jobAnswers.in(language), jobTexts.in(language)]);
    const { definition, state } = await loadNamed(context, name);
    const entries = await loadHistory(table, space, name, count);
    const none = state === 'removed' ? say.wasRemoved(name) : say.notDue(name);
    const lines = entries.map((entry) => describeOccurrence(words, entry, zoneOf(definition.when, zone)));
    if (lines.length === count && count < HISTORY_LINES_MAX) lines.push(say.newest(count, name, HISTORY_LINES_MAX));
    return {
      data: { occurrences: entries.map(({ signalId, occurrence }) => ({ signalId, ...occurrence })) },
      lines: lines.length > 0 ? lines : [none],
    };
  }),
  change(jobsDryRun, async (context, { name }) => {
    const { table, signal, language } = context;
    const job = await loadPresent({ table, space: signal.space, language }, name);
    return say(jobNotices.jobs(await dryRun(context, job)));
  }),
  change(jobsAdd, (context, args) => schedule(context, JsonObject.parse(args))),
  change(jobsEdit, (context, args) => schedule(context, JsonObject.parse({ ...args, edit: true }))),
  ...(
    [
      [jobsPause, 'pause-job'],
      [jobsResume, 'resume-job'],
      [jobsRun, 'run-job'],
      [jobsRemove, 'remove-job'],
    ] as const
  ).map(([operation, tool]) => change(operation, (_, { name }) => ({ call: { tool, args: { name } } }))),
];
