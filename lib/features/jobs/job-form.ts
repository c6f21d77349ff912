/**
 * The form of `schedule-job`: makes a whole definition of a draft, names its faults, and describes
 * it for the card. A definition that is whole already stays as it is.
 */

import { canonicalJson } from '../../core/base/canonical.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject, parseWith } from '../../core/base/json.ts';
import { jobOf } from '../../core/money/day-spend.ts';
import { conditionProblem, findMembers } from '../../core/sandbox/evaluate-condition.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import { isSamePlace } from '../../core/signal/action.ts';
import { findChannel, sendsMessages } from '../../core/signal/channels.ts';
import { Destination } from '../../core/signal/destination.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import type { ReplyRoute } from '../../core/signal/signal.ts';
import { toolsIn } from '../../core/signal/task-tools.ts';
import { jobKeys } from '../../core/store/keys.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { type Mark, UNMARKED } from '../../core/tools/marks.ts';
import type { FormContext, ToolForm } from '../../core/tools/tool.ts';
import { JOB_WORK } from '../job-work.ts';
import { completeJob, definitionProblems, parseJobName } from './complete-job.ts';
import { CONDITION_FACTS, EVENT_FACTS } from './condition-facts.ts';
import { beginsAtOnce, describeJob, destinationsWords, usualLines } from './describe-job.ts';
import { type Job, JobArgs, type JobDefinition, parseJob } from './job.ts';
import { JobDraft } from './job-draft.ts';
import { jobTexts } from './job-texts.ts';

const DRAFT = { args: JobDraft, fields: Object.keys(JobDraft.shape) };

const hereOf = (reply: ReplyRoute): Destination | undefined => Destination.safeParse(reply).data;

const isLive = (job: Job | undefined): job is Job => job !== undefined && job.state !== 'removed';

const jobNow = async ({ readRow }: FormContext, name: string): Promise<Job | undefined> => {
  const item = await readRow((space) => jobKeys.record(space, name));
  return item && parseJob(item);
};

/** @throws ProtocolError that says what is wrong with the draft */
const complete = async (draft: JobDraft, context: FormContext): Promise<JobArgs> => {
  const { zone, now, reply } = context;
  const name = parseJobName(draft.name);
  const job = await jobNow(context, name);
  const isChange = draft.edit === true;
  if (!isChange && isLive(job) && job.state !== 'ended')
    throw new ProtocolError(`there is a job ${name} already: give another name, or change it`);
  const found = isChange ? job : undefined;
  const before = isLive(found) ? found.definition : undefined;
  const built = await Promise.all(JOB_WORK.map(({ build }) => build(draft, before, context)));
  const work = built.find((one) => one !== undefined);
  const completing = { zone, now, here: hereOf(reply), work };
  if (isLive(found)) {
    const changed = completeJob({ ...draft, name }, { ...completing, before: found.definition });
    if (canonicalJson(changed) === canonicalJson(found.definition))
      throw new ProtocolError(`that changes nothing of the job ${name}: say what to change`);
    return { ...changed, replaces: found.version };
  }
  if (isChange) throw new ProtocolError(`there is no job ${name} to change; /jobs lists those there are`);
  return completeJob({ ...draft, name }, completing);
};

/** Lines about the work of a job that a feature performs. */
export const workLines = async (
  definition: JobDefinition,
  context: Pick<FormContext, 'loadLookups'>,
  mark?: Mark,
): Promise<readonly string[]> =>
  (await Promise.all(JOB_WORK.map(({ describe }) => describe(definition, context, mark)))).flat();

const stepProblems = (definition: JobDefinition): readonly string[] => {
  const { work } = definition;
  if (work.kind === 'prompt') return [];
  if (!JOB_WORK.some(({ kinds }) => kinds.includes(work.kind))) return ['nothing here performs the steps of a job'];
  const wrong = JOB_WORK.flatMap(({ findProblems }) => findProblems(definition));
  if (work.kind !== 'steps') return wrong;
  return [
    ...wrong,
    ...work.steps.flatMap((step, n) => {
      if ('say' in step || isMcpTool(step.tool)) return [];
      const tool = findTool(step.tool);
      if (tool === undefined || tool.isForPeople === true || tool.onlyFor !== undefined)
        return [`step ${n + 1} names no tool that a job can use`];
      return argumentProblems(tool, step.args).map((problem) => `step ${n + 1}: ${problem}`);
    }),
  ];
};

const conditionProblems = async ({ when }: JobDefinition): Promise<readonly string[]> => {
  if (!('holds' in when) || when.holds === undefined) return [];
  const problem = conditionProblem(await loadSandbox(), when.holds);
  if (problem !== undefined) return [`its condition ${problem}`];
  const [holder, facts] = when.kind === 'event' ? ['event.', EVENT_FACTS] : ['facts.', CONDITION_FACTS];
  return findMembers(when.holds, ['facts', 'event', 'inputs', 'steps'])
    .map((path) => (path.startsWith(holder) ? path.slice(holder.length) : path))
    .filter((name) => !facts.some((fact) => fact === name))
    .map((name) => `there is no fact ${name}; those are ${facts.join(', ')}`);
};

/** A job has no more tools than the turn that proposes it, and begins no work at once. */
const taskProblems = (args: JobArgs, { whyOff, session = '', now }: FormContext): readonly string[] => {
  const { work, replaces } = args;
  const isDeep = replaces === undefined && jobOf(session) !== undefined && beginsAtOnce(args, now);
  const deep = isDeep ? ['a job cannot begin work at once: give it a later time'] : [];
  if (work.kind !== 'prompt') return deep;
  const tools = toolsIn(work.text);
  const isNarrow = whyOff?.('') !== undefined;
  if (tools === undefined)
    return isNarrow ? [...deep, 'this turn has only some tools: say with tools which of them the job may use'] : deep;
  const wrong = tools.filter((name) => {
    const tool = findTool(name);
    const isThere = isMcpTool(name) || (tool !== undefined && tool.isForPeople !== true && tool.onlyFor === undefined);
    return !isThere || whyOff?.(name) !== undefined;
  });
  return wrong.length === 0 ? deep : [...deep, `tools names ${wrong.length} that this turn does not have`];
};

/** A result that would reach nobody. */
const webhookProblems = ({ to }: JobDefinition, { webhookUrls }: FormContext): readonly string[] =>
  to.flatMap((place) => {
    if (place.target !== 'webhook' || webhookUrls === undefined || Object.hasOwn(webhookUrls, place.to)) return [];
    const names = Object.keys(webhookUrls).join(', ');
    return [`there is no webhook ${place.to}; ${names === '' ? 'none is configured' : `those are ${names}`}`];
  });

/** Things that may be set up later. Nothing here knows whether they are there. */
const needLines = ({ to }: JobDefinition, { reply }: FormContext): readonly string[] => {
  const channel = to.map(({ target }) => findChannel(target)).find((one) => one?.sendsMessages);
  return channel === undefined || sendsMessages(reply.target)
    ? []
    : [`It needs a connected ${channel.name} bot that may write to the chat.`];
};

const findProblems = async (args: JsonObject, context: FormContext): Promise<readonly string[]> => {
  const whole = JobArgs.safeParse(args);
  if (whole.success)
    return [
      ...definitionProblems(whole.data, context.now, whole.data.replaces === undefined),
      ...stepProblems(whole.data),
      ...taskProblems(whole.data, context),
      ...(await conditionProblems(whole.data)),
      ...webhookProblems(whole.data, context),
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

const describeLines = async (
  { replaces, ...definition }: JobArgs,
  context: FormContext,
  mark: Mark,
): Promise<readonly string[]> => {
  const { name } = definition;
  const steps = [...(await workLines(definition, context, mark)), ...needLines(definition, context)];
  if (replaces === undefined) {
    const usual = usualLines(jobTexts.en, definition);
    const lines = describeJob(jobTexts.en, definition, { ...context, isNew: true }).filter(
      (line) => !usual.includes(line),
    );
    return [`A new job: ${name}`, ...lines, ...steps];
  }
  const job = await jobNow(context, name);
  const same = describeJob(jobTexts.en, definition, context);
  if (job?.version !== replaces)
    return [mark(`It changes the job ${name} (version ${replaces}), which was changed since.`), ...same, ...steps];
  const lines = describeJob(jobTexts.en, definition, context, job.definition);
  return [
    `It changes the job ${name} (version ${replaces}).`,
    ...lines.map((line) => (same.includes(line) ? line : mark(line))),
    ...steps,
  ];
};

/** Marks the differences from before, the runs that a yes covers, and a result for elsewhere. */
const describe: ToolForm['describe'] = async (args, context, mark = UNMARKED) => {
  const job = parseWith('the job', args, JobArgs);
  const lines = await describeLines(job, context, mark);
  const [only, ...others] = job.to;
  const here = hereOf(context.reply);
  const isHere = others.length === 0 && only !== undefined && here !== undefined && isSamePlace(only, here);
  if (!isHere) mark(`Result goes to: ${destinationsWords(jobTexts.en, job.to)}`);
  return lines;
};

export const JOB_FORM: ToolForm = { complete: completeArgs, findProblems, describe };
