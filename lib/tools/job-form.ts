/**
 * The form of `schedule-job`: makes a whole definition of a draft, names its faults, and describes
 * it for the card. A definition that is whole already stays as it is.
 */
import { ProtocolError } from '../base/errors.ts';
import { JsonObject, parseWith } from '../base/json.ts';
import { completeJob, definitionProblems, parseJobName } from '../jobs/complete-job.ts';
import { describeJob, destinationsWords } from '../jobs/describe-job.ts';
import { Destination, type Job, type JobDefinition } from '../jobs/job.ts';
import { JobDraft } from '../jobs/job-draft.ts';
import { conditionProblem } from '../sandbox/evaluate-condition.ts';
import { loadSandbox } from '../sandbox/sandbox.ts';
import { isSamePlace } from '../signal/action.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { argumentProblems } from './argument-problems.ts';
import { findTool } from './catalogue.ts';
import { buildRunbookWork, runbookLines } from './job-runbook.ts';
import { JobArgs } from './jobs.ts';
import type { FormContext, ToolForm } from './tool.ts';

/** Numbers tried behind a name that is taken. */
const NAME_TRIES_MAX = 9;

const DRAFT = { args: JobDraft, fields: Object.keys(JobDraft.shape) };

const hereOf = (reply: ReplyRoute): Destination | undefined => Destination.safeParse(reply).data;

const isLive = (job: Job | undefined): job is Job => job !== undefined && job.state !== 'removed';

/** A new job never takes the place of one that lives: its name gets a number. */
const findFreeName = async (name: string, loadJob: FormContext['loadJob']): Promise<string> => {
  for (let n = 1; n <= NAME_TRIES_MAX; n += 1) {
    const one = n === 1 ? name : `${name.slice(0, 30)}-${n}`;
    const job = await loadJob(one);
    if (!isLive(job) || job.state === 'ended') return one;
  }
  throw new ProtocolError(`there are jobs ${name} to ${name}-${NAME_TRIES_MAX} already; give another name`);
};

/** @throws ProtocolError that says what is wrong with the draft */
const complete = async (draft: JobDraft, context: FormContext): Promise<JobArgs> => {
  const { zone, now, reply, loadJob } = context;
  const name = parseJobName(draft.name);
  const found = draft.edit === true ? await loadJob(name) : undefined;
  const runbook = await buildRunbookWork(draft, isLive(found) ? found.definition : undefined, context);
  const completing = { zone, now, here: hereOf(reply), runbook };
  if (isLive(found))
    return { ...completeJob({ ...draft, name }, { ...completing, before: found.definition }), replaces: found.version };
  if (draft.edit === true)
    throw new ProtocolError(`there is no job ${name} to change; list-jobs names those there are`);
  return completeJob({ ...draft, name: await findFreeName(name, loadJob) }, completing);
};

const stepProblems = ({ work }: JobDefinition): readonly string[] =>
  work.kind !== 'steps'
    ? []
    : work.steps.flatMap((step, n) => {
        if ('say' in step || isMcpTool(step.tool)) return [];
        const tool = findTool(step.tool);
        if (tool === undefined || tool.isForPeople === true || tool.onlyFor !== undefined)
          return [`step ${n + 1} names no tool that a job can use`];
        return argumentProblems(tool, step.args).map((problem) => `step ${n + 1}: ${problem}`);
      });

const conditionProblems = async ({ when }: JobDefinition): Promise<readonly string[]> => {
  if (when.kind !== 'condition') return [];
  const problem = conditionProblem(await loadSandbox(), when.holds);
  return problem === undefined ? [] : [`its condition ${problem}`];
};

const findProblems = async (args: JsonObject, context: FormContext): Promise<readonly string[]> => {
  const whole = JobArgs.safeParse(args);
  if (whole.success)
    return [
      ...definitionProblems(whole.data, context.now),
      ...stepProblems(whole.data),
      ...(await conditionProblems(whole.data)),
    ];
  const draft = JobDraft.safeParse(args);
  if (!draft.success) return argumentProblems('when' in args ? { ...DRAFT, args: JobArgs } : DRAFT, args);
  const made = await tryComplete(draft.data, context);
  return typeof made === 'string' ? [made] : argumentProblems({ args: JobArgs, fields: DRAFT.fields }, made);
};

/** @returns the arguments, or the fault of the draft in one sentence */
const tryComplete = async (draft: JobDraft, context: FormContext): Promise<JsonObject | string> => {
  try {
    return JsonObject.parse(await complete(draft, context));
  } catch (error) {
    if (error instanceof ProtocolError) return error.message;
    throw error;
  }
};

const completeArgs = async (args: JsonObject, context: FormContext): Promise<JsonObject> => {
  const draft = JobDraft.safeParse(args);
  if (!draft.success) return args;
  const made = await tryComplete(draft.data, context);
  return typeof made === 'string' ? args : made;
};

const describe = async (args: JsonObject, context: FormContext): Promise<readonly string[]> => {
  const { replaces, ...definition } = parseWith('the job', args, JobArgs);
  const { name } = definition;
  const steps = await runbookLines(definition, context.loadRunbook);
  if (replaces === undefined) return [`A new job: ${name}`, ...describeJob(definition, context), ...steps];
  const job = await context.loadJob(name);
  const before = job?.version === replaces ? job.definition : undefined;
  const head = `It changes the job ${name} (version ${replaces})${before === undefined ? ', which was changed since' : ''}.`;
  return [head, ...describeJob(definition, context, before), ...steps];
};

const CHANGED = /^(?:CHANGED|REMOVED) |^It changes the job .* changed since\.$/;

/** What differs from before, and where the result goes if not to the chat that asks. */
const notable: ToolForm['notable'] = (lines, args, context) => {
  const { to } = parseWith('the job', args, JobArgs);
  const [only, ...others] = to;
  const here = hereOf(context.reply);
  const isHere = others.length === 0 && only !== undefined && here !== undefined && isSamePlace(only, here);
  return [
    ...lines.filter((line) => CHANGED.test(line)),
    ...(isHere ? [] : [`Result goes to: ${destinationsWords(to)}`]),
  ];
};

export const JOB_FORM: ToolForm = { complete: completeArgs, findProblems, describe, notable };
