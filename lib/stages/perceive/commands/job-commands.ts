/**
 * The commands `/jobs …`. Lists, definitions and histories are read here. A change is one call of a
 * tool, which Act performs: making and editing ask an approver on the card; pausing, resuming,
 * removing and running do not, because an approver typed them.
 */
import { ProtocolError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { parseJobName } from '../../../jobs/complete-job.ts';
import { describeOccurrence } from '../../../jobs/describe-history.ts';
import { describeJob } from '../../../jobs/describe-job.ts';
import { zoneOf } from '../../../jobs/describe-rule.ts';
import { type Job, JobName } from '../../../jobs/job.ts';
import { JOB_LINE_USAGE, parseJobLine } from '../../../jobs/parse-job-line.ts';
import { jobOrFail, listLiveJobs, loadHistory, loadJob } from '../../../jobs/read-jobs.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { formContext } from '../../../judge/gather-facts.ts';
import { describeJobShortly, describeJobs } from '../../../skills/describe-jobs.ts';
import { findRunbook } from '../../../skills/find-runbook.ts';
import { JOB_FORM } from '../../../tools/job-form.ts';
import { runbookLines } from '../../../tools/job-runbook.ts';
import { type CodeAnswer, type CodeContext, type Command, say } from '../code-context.ts';

/** Occurrences that one answer shows: those of a day, if a job runs each hour. */
const HISTORY_LINES_DEFAULT = 24;
const HISTORY_LINES_MAX = 50;

const USAGE = [
  '/jobs, /jobs show|pause|resume|run|remove|dry-run <name>, /jobs history <name> [count]',
  `/jobs add|edit <name> ${JOB_LINE_USAGE}`,
  '/jobs add|edit {"name": …} with the fields of schedule-job',
].join('\n');

/** @throws ProtocolError */
const nameOf = (given: string): string => {
  const name = JobName.safeParse(given.toLowerCase());
  if (!name.success) throw new ProtocolError('name the job, as /jobs lists it');
  return name.data;
};

const list = async ({ table, signal, zone }: CodeContext): Promise<CodeAnswer> =>
  say(commandNotices.jobs(describeJobs(await listLiveJobs(table, signal.space), zone)));

/** @throws ProtocolError if there is no such job */
const loadLive = async ({ table, signal }: CodeContext, given: string): Promise<Job> => {
  const name = nameOf(given);
  return jobOrFail(await loadJob(table, signal.space, name), name);
};

const show = async (context: CodeContext, given: string): Promise<CodeAnswer> => {
  const { table, signal, zone, now } = context;
  const job = await loadLive(context, given);
  const steps = await runbookLines(job.definition, (name) => findRunbook(table, signal.space, name));
  return say(
    commandNotices.jobs([describeJobShortly(job, zone), ...describeJob(job.definition, { zone, now }), ...steps]),
  );
};

const history = async ({ table, signal, zone }: CodeContext, rest: string): Promise<CodeAnswer> => {
  const [given = '', count = String(HISTORY_LINES_DEFAULT)] = rest.split(/\s+/);
  const name = nameOf(given);
  // The history of a removed job can still be read.
  const job = await loadJob(table, signal.space, name);
  if (job === undefined) throw new ProtocolError(`there is no job ${name}; /jobs lists those there are`);
  const limit = Number(count);
  if (!Number.isInteger(limit) || limit < 1 || limit > HISTORY_LINES_MAX)
    throw new ProtocolError(`the count must be a number from 1 to ${HISTORY_LINES_MAX}`);
  const entries = await loadHistory(table, signal.space, name, limit);
  const lines = entries.map((entry) => describeOccurrence(entry, zoneOf(job.definition.when, zone)));
  return say(commandNotices.jobs(lines.length === 0 ? [`The job ${name} has not been due yet.`] : lines));
};

const checkIsNew = async (name: string, load: (name: string) => Promise<Job | undefined>): Promise<void> => {
  const job = await load(name);
  if (job !== undefined && (job.state === 'active' || job.state === 'paused'))
    throw new ProtocolError(`there is a job ${name} already; /jobs edit ${name} changes it`);
};

/** The call that makes or changes a job, with its arguments whole. @throws ProtocolError */
const schedule = async (context: CodeContext, rest: string, isEdit: boolean): Promise<CodeAnswer> => {
  const { table, signal } = context;
  const args: JsonObject = { ...parseJobLine(rest), ...(isEdit ? { edit: true } : {}) };
  const load = (name: string) => loadJob(table, signal.space, name);
  if (!isEdit && typeof args.name === 'string') await checkIsNew(parseJobName(args.name), load);
  const loadRunbook = (name: string) => findRunbook(table, signal.space, name);
  const form = formContext({ ...context, reply: signal.reply, loadJob: load, loadRunbook });
  const [problem] = await JOB_FORM.findProblems(args, form);
  if (problem !== undefined) throw new ProtocolError(problem);
  return { call: { tool: 'schedule-job', args: await JOB_FORM.complete(args, form) } };
};

const call = (tool: string, given: string): CodeAnswer => ({ call: { tool, args: { name: nameOf(given) } } });

const answer = async (context: CodeContext, verb: string, rest: string): Promise<CodeAnswer> => {
  switch (verb) {
    case '':
    case 'list':
      return list(context);
    case 'show':
      return show(context, rest);
    case 'history':
      return history(context, rest);
    case 'add':
    case 'edit':
      return schedule(context, rest, verb === 'edit');
    case 'pause':
    case 'resume':
    case 'remove':
    case 'run':
      return call(`${verb}-job`, rest);
    case 'dry-run': {
      const { dryRun } = await import('./dry-run.ts');
      return say(commandNotices.jobs(await dryRun(context, await loadLive(context, rest))));
    }
    default:
      return say(commandNotices.usage(USAGE));
  }
};

export const jobs: Command = async (context, rest) => {
  const [, verb = '', words = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  try {
    return await answer(context, verb.toLowerCase(), words.trim());
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    // A form made by a program, such as the command line, has its own help.
    const isTyped = /^(add|edit)$/i.test(verb) && !words.startsWith('{');
    return say(commandNotices.notSet(isTyped ? `${error.message}.\nThe form: ${USAGE.split('\n')[1]}` : error.message));
  }
};
