/**
 * The answers to the verbs of jobs. A change is one call of a tool, which Act performs: making and
 * editing ask an approver on the card; the others do not, because an approver typed them.
 */
import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { JsonObject } from '../../base/json.ts';
import { MINUTE_MS } from '../../base/limits.ts';
import { parseJobName } from '../../jobs/complete-job.ts';
import { describeJob, describeOccurrence } from '../../jobs/describe-job.ts';
import { localTime, zoneOf } from '../../jobs/describe-rule.ts';
import type { Job } from '../../jobs/job.ts';
import { jobOrFail, listLiveJobs, loadHistory, loadJob, loadTasks, loadVersion } from '../../jobs/read-jobs.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { formContext } from '../../judge/gather-facts.ts';
import { type CodeAnswer, type CodeContext, say } from '../../operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../operations/operation.ts';
import { BUILT_IN } from '../../skills/built-in.ts';
import { jobNamesOf } from '../../skills/choose-skill.ts';
import { describeJobShortly, describeMore, describeWork } from '../../skills/describe-jobs.ts';
import { findRunbook } from '../../skills/find-runbook.ts';
import { JOB_FORM } from '../../tools/job-form.ts';
import { runbookLines } from '../../tools/job-runbook.ts';
import { dryRun } from './dry-run.ts';
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
  type ShownJob,
  tasks,
} from './operations.ts';

/** A job that is due for so long was not seen by any heartbeat: two in a row were lost. */
const BEHIND_AFTER_MS = 3 * MINUTE_MS;

const BUILT_IN_JOBS = BUILT_IN.flatMap(({ definition }) => jobNamesOf(definition));

const showJob = async ({ table, space, now, zone }: LookContext, job: Job): Promise<ShownJob> => {
  const { name, version, state, definition, running, failures, unfinishedAt: nextAt } = job;
  const last = state === 'paused' ? await loadVersion(table, space, name, version) : undefined;
  return {
    ...{ name, version, state, definition, running, failures },
    ...defined({ nextAt, pausedBecause: last?.why }),
    isBehind: nextAt !== undefined && nextAt < now - BEHIND_AFTER_MS,
    line: describeJobShortly(job, zone, now, last?.why),
    work: describeWork(job, zone),
    ...(BUILT_IN_JOBS.includes(name) ? { isBuiltIn: true } : {}),
  };
};

/** The job, also a removed one, whose history can still be read. @throws ProtocolError */
const loadNamed = async ({ table, space }: Pick<LookContext, 'table' | 'space'>, name: string): Promise<Job> => {
  const job = await loadJob(table, space, name);
  if (job === undefined) throw new NotFoundError(`there is no job ${name}; /jobs lists those there are`);
  return job;
};

const checkIsNew = async (name: string, load: (name: string) => Promise<Job | undefined>): Promise<void> => {
  const job = await load(name);
  if (job !== undefined && (job.state === 'active' || job.state === 'paused'))
    throw new ProtocolError(`there is a job ${name} already; /jobs edit ${name} changes it`);
};

/** The call that makes or changes a job, with its arguments whole. @throws ProtocolError */
const schedule = async (context: CodeContext, args: JsonObject): Promise<CodeAnswer> => {
  const { table, signal } = context;
  const load = (name: string) => loadJob(table, signal.space, name);
  if (args.edit !== true && typeof args.name === 'string') await checkIsNew(parseJobName(args.name), load);
  const loadRunbook = (name: string) => findRunbook(table, signal.space, name);
  const form = formContext({ ...context, reply: signal.reply, setup: context, reads: { loadJob: load, loadRunbook } });
  const [problem] = await JOB_FORM.findProblems(args, form);
  if (problem !== undefined) throw new ProtocolError(problem);
  return { call: { tool: 'schedule-job', args: await JOB_FORM.complete(args, form) } };
};

const NO_TASKS = 'Nothing works in the background now. /jobs lists what is scheduled.';

export const JOB_HANDLERS: readonly Handler[] = [
  look(tasks, async ({ table, space, zone }) => {
    const found = await loadTasks(table, space);
    const lines = found.map(
      ({ signalId, occurrence: { job, at } }) => `${job}: since ${localTime(at, zone)}  /why ${signalId}`,
    );
    return {
      data: { tasks: found.map(({ signalId, occurrence: { job, at } }) => ({ signalId, job, at })) },
      lines: lines.length === 0 ? [NO_TASKS] : [...lines, 'To end all of it: /stop'],
    };
  }),
  look(jobsList, async (context, { cursor }) => {
    const live = await listLiveJobs(context.table, context.space, cursor);
    const jobs = await Promise.all(live.jobs.map((job) => showJob(context, job)));
    const lines = [...jobs.map(({ line }) => line), ...describeMore(live.cursor)];
    return {
      data: { jobs, ...defined({ cursor: live.cursor }) },
      lines: jobs.length === 0 ? ['There is no job.'] : lines,
    };
  }),
  look(jobsShow, async (context, { name }) => {
    const { table, space, zone, now } = context;
    const job = jobOrFail(await loadNamed(context, name), name);
    const steps = await runbookLines(job.definition, (runbook) => findRunbook(table, space, runbook));
    const shown = await showJob(context, job);
    return {
      data: shown,
      lines: [shown.line, ...describeJob(job.definition, { zone, now, isPaused: job.state === 'paused' }), ...steps],
    };
  }),
  look(jobsHistory, async (context, { name, count }) => {
    const { table, space, zone } = context;
    const { definition, state } = await loadNamed(context, name);
    const entries = await loadHistory(table, space, name, count);
    const ending = state === 'removed' ? 'was removed before it was due' : 'has not been due yet';
    const lines = entries.map((entry) => describeOccurrence(entry, zoneOf(definition.when, zone)));
    if (lines.length === count && count < HISTORY_LINES_MAX)
      lines.push(`These are the newest ${count}. For more: /jobs history ${name} ${HISTORY_LINES_MAX}`);
    return {
      data: { occurrences: entries.map(({ signalId, occurrence }) => ({ signalId, ...occurrence })) },
      lines: lines.length > 0 ? lines : [`The job ${name} ${ending}.`],
    };
  }),
  change(jobsDryRun, async (context, { name }) => {
    const { table, signal } = context;
    const job = jobOrFail(await loadNamed({ table, space: signal.space }, name), name);
    return say(commandNotices.jobs(await dryRun(context, job)));
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
