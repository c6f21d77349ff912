/**
 * Keeps a summary of what the rules of jobs look at: versions, occurrences, changes of skills, and
 * the actions that made or fulfilled them. `job-checks.ts` judges them after the last record, since
 * the records of one turn have their leaves at different times.
 */
import { hashOf } from '../../base/canonical.ts';
import { mayChange } from '../../signal/changing-tools.ts';
import { effectId, type FixedEffect, type FixedJob, type FixedOccurrence, type FixedSkill } from '../record-hash.ts';
import type { Subject } from './content.ts';
import { type Fields, readCount, readFieldList, readFields, readText } from './fields.ts';
import type { OccurrenceRun, Version } from './job-moments.ts';

interface FixedSkillChange extends Subject {
  readonly fixed: Pick<FixedSkill, 'signal' | 'skill' | 'version'>;
}

/** An action that can change a job or a skill; one that was forgotten has no tool. */
export interface Changer {
  readonly tool?: string;
  /** Name of the job, or of the skill; `add-skill` names none. */
  readonly name?: string | undefined;
  /** Version of the skill that it makes, if the call says so. */
  readonly version?: string | undefined;
  /** Hash of the definition that a person approved. */
  readonly definition?: string;
}

/** Kind of an action, as its decision shows it; `hidden` if it was forgotten. */
export type ActionKind = 'text' | 'call' | 'code' | 'hidden';

export interface Jobs {
  readonly versions: Map<string, Version[]>;
  readonly runs: Map<string, OccurrenceRun[]>;
  readonly changes: FixedSkillChange[];
  /** Signals of jobs' turns: the kinds of their actions, in order. */
  readonly actions: Map<string, readonly ActionKind[]>;
  /** By the signal of an occurrence: kinds of actions that its turn did, or is doing. */
  readonly done: Map<string, Set<ActionKind>>;
  /** Actions that change jobs or skills, by the ids of their effects, and those performed. */
  readonly changers: Map<string, Changer>;
  readonly performed: Map<string, Changer>;
}

export const startJobs = (): Jobs => ({
  versions: new Map(),
  runs: new Map(),
  changes: [],
  actions: new Map(),
  done: new Map(),
  changers: new Map(),
  performed: new Map(),
});

/** Longest spread of a job's starts, for a version whose definition is not there. */
const SPREAD_SECONDS_MAX = 3_600;
const SECOND_MS = 1_000;

const put = <T>(map: Map<string, T[]>, name: string, one: T): void => {
  const list = map.get(name);
  if (list === undefined) map.set(name, [one]);
  else list.push(one);
};

const kindOfWork = (definition: Fields): string | undefined => readText(readFields(definition.work) ?? {}, 'kind');

const promiseOf = (definition: Fields | undefined): Version['promises'] => {
  if (definition === undefined) return undefined;
  if (kindOfWork(definition) === 'steps') return 'any';
  if (definition.promises === 'reply') return 'text';
  return definition.promises === 'change' ? 'call' : undefined;
};

export const addJob = ({ versions }: Jobs, subject: Subject, fixed: FixedJob, content: Fields | undefined): void => {
  const definition = readFields(content?.definition);
  const spread = definition === undefined ? SPREAD_SECONDS_MAX : (readCount(definition, 'spreadSeconds') ?? 0);
  const { version, state, definition: hash, when, from, by, effect } = fixed;
  const kept = { version, state, definition: hash, when, from, by, effect };
  put(versions, fixed.job, {
    ...subject,
    job: fixed.job,
    fixed: kept,
    promises: promiseOf(definition),
    isByStep: definition !== undefined && kindOfWork(definition) !== 'prompt',
    spreadMs: spread * SECOND_MS,
  });
};

export const addOccurrence = ({ runs }: Jobs, subject: Subject, fixed: FixedOccurrence): void =>
  put(runs, fixed.job, { ...subject, fixed });

export const addSkill = ({ changes }: Jobs, subject: Subject, { signal, skill, version }: FixedSkill): void => {
  changes.push({ ...subject, fixed: { signal, skill, version } });
};

const rootOf = (signalId: string): string => signalId.split('/')[0] ?? signalId;
const isOfJob = (signalId: string): boolean => signalId.startsWith('job-');

/** States that a tool leaves a job in. Other tools change only the jobs of a skill. */
export const JOB_STATES: Readonly<Record<string, readonly string[]>> = {
  'schedule-job': ['active', 'paused'],
  'pause-job': ['paused'],
  'resume-job': ['active'],
  'remove-job': ['removed'],
};

const kindOf = (shown: Fields): ActionKind => {
  const action = readFields(shown.action);
  if (action === undefined) return 'code';
  if (action.author === 'code') return 'code';
  return action.target === 'tool' || action.target === 'webhook' ? 'call' : 'text';
};

/** The arguments of a call that changes a job or a skill. */
const changerOf = (shown: Fields): Changer | undefined => {
  const action = readFields(shown.action) ?? {};
  const tool = readText(action, 'tool') ?? '';
  if (!mayChange(tool, 'job') && !mayChange(tool, 'skill')) return undefined;
  const args = readFields(action.args) ?? {};
  const offer = readFields(args.offer);
  if (offer !== undefined && offer.kind !== 'skill') return undefined;
  const name = readText(offer ?? args, 'name') ?? readText(args, 'skill');
  const version = tool === 'remove-skill' ? 'removed' : readText(args, 'after');
  if (tool !== 'schedule-job') return { tool, name, version };
  // The call holds the whole definition, and which version it replaces.
  const { replaces: _number, ...definition } = args;
  return { tool, name, definition: hashOf('job-version', definition) };
};

/** Called before the effects of the decision, which come after it. @param count of its actions */
export const noteDecision = (jobs: Jobs, id: string, count: number, content: Fields | undefined): void => {
  const shown = content === undefined ? undefined : (readFieldList(content, 'actions') ?? []);
  if (isOfJob(id)) jobs.actions.set(id, shown?.map(kindOf) ?? Array<ActionKind>(count).fill('hidden'));
  for (let n = 0; n < count; n += 1) {
    const changer = shown === undefined ? {} : changerOf(shown[n] ?? {});
    if (changer !== undefined) jobs.changers.set(effectId(id, n), changer);
  }
};

const PERFORMED: readonly string[] = ['claimed', 'done', 'failed', 'unknown'];
/** An effect that is under way when the log ends may be done by now. */
const MAY_BE_DONE: readonly string[] = ['done', 'claimed'];

export const noteEffect = (jobs: Jobs, id: string, { signalId, n, state }: FixedEffect): void => {
  const changer = jobs.changers.get(id);
  if (changer !== undefined && PERFORMED.includes(state)) jobs.performed.set(id, changer);
  if (!MAY_BE_DONE.includes(state) || !isOfJob(signalId)) return;
  const kinds = jobs.done.get(rootOf(signalId)) ?? new Set();
  jobs.done.set(rootOf(signalId), kinds.add(jobs.actions.get(signalId)?.[n] ?? 'hidden'));
};
