/**
 * The tools about jobs. `schedule-job` makes or changes one: the model may propose it, and an
 * approver decides on its card. All else that changes a job is for people (I14). `list-jobs` reads.
 */

import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { fieldsWords, named, quoted } from '../../core/text/quoted.ts';
import {
  defineTool,
  loadFileParts,
  loadParts,
  type NameCall,
  powerOf,
  type ToolContext,
  type ToolOutput,
} from '../../core/tools/tool.ts';
import type { DescribeContext } from './describe-job.ts';
import {
  type Job,
  JobArgs,
  type JobDefinition,
  JobName,
  type JobState,
  jobOrFail,
  type Step,
  type Work,
} from './job.ts';
import { ShownDraft } from './job-draft.ts';
import type { JobPowers } from './job-powers.ts';
import { shortRule } from './rule-words.ts';

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly jobs?: JobPowers;
  }
}

/** An approver read each definition on its card, so its words count as the owner's. */
const ownerLines = (lines: readonly string[]): ToolOutput => ({ output: lines.join('\n'), origin: 'owner' });

const describeMade = async (definition: JobDefinition, context: DescribeContext) => {
  const { describeMade, jobTexts } = (await loadParts()).FEATURE_PARTS;
  return describeMade(jobTexts.en, definition, context);
};

/** An approver stands behind each change: by their yes, or by their command. */
const changerOf = ({ signalId, effectId, actor, approvedBy, now }: ToolContext) => ({
  signalId,
  effectId,
  by: approvedBy ?? actor,
  now,
});

const stepWords = (step: Step, nameCall: NameCall): string => {
  const words = 'say' in step ? `Say ${quoted(step.say)}` : nameCall(step.tool, step.args);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
};

const workWords = (work: Work, nameCall: NameCall): string => {
  switch (work.kind) {
    case 'prompt':
      return `work on ${quoted(work.text)}`;
    case 'steps':
      return work.steps.map((step) => stepWords(step, nameCall)).join(', then ');
    case 'runbook':
      return `run the runbook ${named(work.runbook)}${fieldsWords(work.inputs)}`;
    default:
      return work satisfies never;
  }
};

const jobSentence = ({ name, when, work, replaces }: JobArgs, nameCall: NameCall): string => {
  const rule = shortRule(when);
  const words = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}: ${workWords(work, nameCall)}`;
  return replaces === undefined ? `${words} (job ${name})` : `Change the job ${name}. ${words}`;
};

/** The meaning of a yes to this card for the job as it stands now. @throws ProtocolError */
const stateAfter = ({ name, replaces }: JobArgs, job: Job | undefined): JobState => {
  const isOver = job === undefined || job.state === 'removed' || job.state === 'ended';
  if (replaces !== undefined && job?.version !== replaces)
    throw new ProtocolError(`the job ${name} was changed since this was asked; ask for it again`);
  if (replaces === undefined && !isOver)
    throw new ProtocolError(`there is a job ${name} already: give another name, or change it`);
  return job?.state === 'paused' ? 'paused' : 'active';
};

/** The rules of a yes to the whole job; undefined if nobody tapped one. */
const approvedUnder = ({ work }: JobDefinition, { approvedBy, policyVersion }: ToolContext): string | undefined =>
  work.kind === 'runbook' && work.whole !== undefined && approvedBy !== undefined ? policyVersion : undefined;

/** Runs at once beside which no further one begins right away: each asks a model, and costs. */
const TASKS_AT_ONCE_MAX = 5;
const TOO_BUSY = `${TASKS_AT_ONCE_MAX} runs of jobs work at once already: /tasks lists them; ask again when one has ended`;

const isTooBusy = async (jobs: JobPowers, definition: JobDefinition, now: number): Promise<boolean> =>
  (await loadParts()).FEATURE_PARTS.beginsAtOnce(definition, now) &&
  (await jobs.list()).jobs.reduce((sum, { running }) => sum + running, 0) >= TASKS_AT_ONCE_MAX;

export const scheduleJob = defineTool({
  name: 'schedule-job',
  description: [
    'Make a job, or change one (edit: true, and what changes); the owner is asked.',
    'Give one rule: at "now" or "2026-11-24T09:00" (local; compute it), every "90m", cron "0 8 * * 1-5",',
    'event "source/event", condition "facts.approvalsWaiting > 3". Give prompt (words to you)',
    'or steps [{"say":"…"},{"tool":"…","args":{}}], or runbook and inputs. to: here, telegram:7, console:main, webhook:shop.',
    'Also: zone, catchUp "once 6h", overlap "queue", pauseAfter 5, capUsd "0.50", promises "nothing", tools ["recall"],',
    'context "memory" (shows notes).',
  ].join(' '),
  sentence: jobSentence,
  draft: ShownDraft,
  args: JobArgs,
  tier: 'ask',
  isAlwaysAsked: true,
  kind: 'idempotent',
  outputOrigin: 'inputs',
  effects: { changesAuthority: true },
  loadForm: async () => (await loadFileParts()).FEATURE_FILE_PARTS.JOB_FORM,
  run: async (args, context) => {
    const { replaces, ...definition } = args;
    const jobs = powerOf(context.powers, 'jobs');
    const isNew = replaces === undefined;
    const isBusy = isNew && (await isTooBusy(jobs, definition, context.now));
    const version = await jobs.change(changerOf(context), args.name, (job) => {
      const state = stateAfter(args, job);
      if (isBusy) throw new ProtocolError(TOO_BUSY);
      return {
        definition,
        state,
        why: isNew ? 'made' : 'edited',
        approvedUnder: approvedUnder(definition, context),
      };
    });
    const made = await describeMade(definition, { zone: context.zone, now: context.now, isNew });
    const verb = isNew ? 'is made' : 'is changed';
    const paused = version.state === 'paused' ? [`It is paused: /jobs resume ${args.name} starts it.`] : [];
    return ownerLines([`The job ${args.name} ${verb}.`, ...made, ...paused, `/jobs show ${args.name} shows it.`]);
  },
});

const CHANGES = {
  pause: { state: 'paused', why: 'paused' },
  resume: { state: 'active', why: 'resumed' },
  remove: { state: 'removed', why: 'removed' },
} as const satisfies Readonly<Record<string, { readonly state: JobState; readonly why: string }>>;

const SENTENCES = { pause: 'Pause the job', resume: 'Resume the job', remove: 'Remove the job' } as const;

/** Changes the state of a job that an approver approved before. */
const defineChange = (verb: keyof typeof CHANGES, from: readonly JobState[]) => {
  const { state, why } = CHANGES[verb];
  return defineTool({
    name: `${verb}-job`,
    sentence: ({ name }) => `${SENTENCES[verb]} ${name}`,
    args: z.strictObject({ name: JobName }),
    tier: 'ask',
    isForPeople: true,
    kind: 'idempotent',
    outputOrigin: 'inputs',
    effects: { changesAuthority: true },
    run: async ({ name }, context) => {
      const make = (found: Parameters<typeof jobOrFail>[0]) => {
        const job = jobOrFail(found, name);
        if (!from.includes(job.state)) throw new ProtocolError(`the job ${name} is ${job.state}`);
        return { definition: job.definition, state, why };
      };
      const { definition } = await powerOf(context.powers, 'jobs').change(changerOf(context), name, make);
      const [, next = ''] =
        verb === 'resume' ? await describeMade(definition, { zone: context.zone, now: context.now }) : [];
      return ownerLines([`The job ${name} is ${why}.`, ...(next === '' ? [] : [next])]);
    },
  });
};

export const pauseJob = defineChange('pause', ['active']);
export const resumeJob = defineChange('resume', ['paused']);
export const removeJob = defineChange('remove', ['active', 'paused', 'ended']);

export const runJob = defineTool({
  name: 'run-job',
  sentence: ({ name }) => `Run the job ${name} once, now`,
  args: z.strictObject({ name: JobName }),
  tier: 'ask',
  isForPeople: true,
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ name }, { powers, signalId }) => {
    const id = await powerOf(powers, 'jobs').run(name, signalId);
    return ownerLines([`The job ${name} runs now: /why ${id}`]);
  },
});

export const listJobsTool = defineTool({
  name: 'list-jobs',
  description: 'List the jobs, or show one by its name.',
  sentence: ({ name }) => (name === undefined ? 'List the jobs' : `Show the job ${quoted(name)}`),
  args: z.strictObject({ name: z.optional(z.string().check(z.maxLength(64))) }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'clean',
  run: async ({ name }, { powers, zone, now }) => {
    const jobs = powerOf(powers, 'jobs');
    const { describeJob, describeJobs, describeJobShortly, jobTexts } = (await loadParts()).FEATURE_PARTS;
    const say = jobTexts.en;
    if (name !== undefined) {
      const job = jobOrFail(await jobs.load(name), name);
      return ownerLines([describeJobShortly(say, job, zone, now), ...describeJob(say, job.definition, { zone, now })]);
    }
    const lines = describeJobs(say, await jobs.list(), zone, now);
    return ownerLines(lines.length === 0 ? ['There is no job.'] : lines);
  },
});

export const JOB_TOOLS = [scheduleJob, listJobsTool, pauseJob, resumeJob, removeJob, runJob] as const;
