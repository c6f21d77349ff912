/**
 * Jobs, their occurrences and changes of skills. A version of a job needs the effect that made it;
 * the program itself may only pause or end one. An occurrence that ran needs its decision, and one
 * that kept its promise needs the effect. Keeps a summary of each record, and judges them together
 * after the last one: the records of one turn have their leaves at different times.
 */
import { effectId, type FixedEffect, type FixedJob, type FixedOccurrence, type FixedSkill } from '../record-hash.ts';
import { failOf, type Subject } from './content.ts';
import type { Effects } from './effects.ts';
import { type Fields, readCount, readFieldList, readFields, readText } from './fields.ts';
import { checkMoments, type MomentsBetween, type Run, type Version } from './job-moments.ts';

interface Change extends Subject {
  readonly fixed: Pick<FixedSkill, 'signal'>;
}

/** Kind of an action, as its decision shows it; `hidden` if it was forgotten. */
type ActionKind = 'text' | 'call' | 'code' | 'hidden';

export interface Jobs {
  readonly versions: Map<string, Version[]>;
  readonly runs: Map<string, Run[]>;
  readonly changes: Change[];
  /** Signals of jobs' turns: the kinds of their actions, in order. */
  readonly actions: Map<string, readonly ActionKind[]>;
  /** By the signal of an occurrence: kinds of actions that its turn did, or is doing. */
  readonly done: Map<string, Set<ActionKind>>;
  /** Ids of effects that can have changed a job or a skill, and of those that were performed. */
  readonly changers: Set<string>;
  readonly performed: Set<string>;
}

export const startJobs = (): Jobs => ({
  versions: new Map(),
  runs: new Map(),
  changes: [],
  actions: new Map(),
  done: new Map(),
  changers: new Set(),
  performed: new Set(),
});

/** Longest spread of a job's starts, for a version whose definition is not there. */
const SPREAD_SECONDS_MAX = 3_600;
const SECOND_MS = 1_000;

const put = <T>(map: Map<string, T[]>, name: string, one: T): void => {
  const list = map.get(name);
  if (list === undefined) map.set(name, [one]);
  else list.push(one);
};

const promiseOf = (definition: Fields | undefined): Version['promises'] => {
  if (definition === undefined) return undefined;
  if (readText(readFields(definition.work) ?? {}, 'kind') === 'steps') return 'any';
  if (definition.promises === 'reply') return 'text';
  return definition.promises === 'change' ? 'call' : undefined;
};

export const addJob = ({ versions }: Jobs, subject: Subject, fixed: FixedJob, content: Fields | undefined): void => {
  const definition = readFields(content?.definition);
  const spread = definition === undefined ? SPREAD_SECONDS_MAX : (readCount(definition, 'spreadSeconds') ?? 0);
  const { version, state, definition: hash, when, from, by, effect } = fixed;
  const kept = { version, state, definition: hash, when, from, by, effect };
  put(versions, fixed.job, { ...subject, fixed: kept, promises: promiseOf(definition), spreadMs: spread * SECOND_MS });
};

export const addOccurrence = ({ runs }: Jobs, subject: Subject, fixed: FixedOccurrence): void =>
  put(runs, fixed.job, { ...subject, fixed });

export const addSkill = ({ changes }: Jobs, subject: Subject, { signal }: FixedSkill): void => {
  changes.push({ ...subject, fixed: { signal } });
};

const rootOf = (signalId: string): string => signalId.split('/')[0] ?? signalId;
const isOfJob = (signalId: string): boolean => signalId.startsWith('job-');

/** Tools that change jobs or skills name them. */
const CHANGER = /(^|-)(job|skill)s?(-|$)/;

const kindOf = (shown: Fields): ActionKind => {
  const action = readFields(shown.action);
  if (action === undefined) return 'code';
  if (action.author === 'code') return 'code';
  return action.target === 'tool' || action.target === 'webhook' ? 'call' : 'text';
};

const toolOf = (shown: Fields): string => readText(readFields(shown.action) ?? {}, 'tool') ?? '';

/** Called before the effects of the decision, which come after it. @param count of its actions */
export const noteDecision = (jobs: Jobs, id: string, count: number, content: Fields | undefined): void => {
  const shown = content === undefined ? undefined : (readFieldList(content, 'actions') ?? []);
  if (isOfJob(id)) jobs.actions.set(id, shown?.map(kindOf) ?? Array<ActionKind>(count).fill('hidden'));
  for (let n = 0; n < count; n += 1)
    if (shown === undefined || CHANGER.test(toolOf(shown[n] ?? {}))) jobs.changers.add(effectId(id, n));
};

const PERFORMED: readonly string[] = ['claimed', 'done', 'failed', 'unknown'];
/** An effect that is under way when the log ends may be done by now. */
const MAY_BE_DONE: readonly string[] = ['done', 'claimed'];

export const noteEffect = (jobs: Jobs, id: string, { signalId, n, state }: FixedEffect): void => {
  if (PERFORMED.includes(state) && jobs.changers.has(id)) jobs.performed.add(id);
  if (!MAY_BE_DONE.includes(state) || !isOfJob(signalId)) return;
  const kinds = jobs.done.get(rootOf(signalId)) ?? new Set();
  jobs.done.set(rootOf(signalId), kinds.add(jobs.actions.get(signalId)?.[n] ?? 'hidden'));
};

const SYSTEM = 'system';
/** The program may do this to a job by itself. */
const BY_ITSELF: readonly string[] = ['paused', 'ended'];

const isSameRule = (one: Version, other: Version | undefined): boolean =>
  one.fixed.definition === other?.fixed.definition;

const checkVersions = ({ performed }: Jobs, versions: readonly Version[]): void => {
  for (const [index, version] of versions.entries()) {
    const before = versions[index - 1];
    const { version: n, from, by, state, effect } = version.fixed;
    if (n !== index + 1) failOf(version, `version ${index + 1} of the job is missing`);
    if (before !== undefined && from < before.fixed.from) failOf(version, 'it begins before the version before it');
    if (by !== SYSTEM && !performed.has(effect))
      failOf(version, 'no effect of the log made it: only an approved action may change a job');
    if (by === SYSTEM && !(BY_ITSELF.includes(state) && isSameRule(version, before)))
      failOf(version, 'no person made it, and the program itself may only pause or end a job');
  }
};

const NEVER_RAN: readonly string[] = ['skipped', 'missed'];
const KEPT_PROMISE: readonly string[] = ['fired', 'late'];

const hasKept = (promises: Version['promises'], done: ReadonlySet<ActionKind> | undefined): boolean => {
  if (promises === undefined || done?.has('hidden') === true) return true;
  return promises === 'any' ? done?.has('text') === true || done?.has('call') === true : done?.has(promises) === true;
};

const checkOutcome = ({ done }: Jobs, { decisions }: Effects, run: Run, { promises }: Version): void => {
  const { id, fixed } = run;
  const isDecided = decisions.has(id);
  if (NEVER_RAN.includes(fixed.state) && isDecided)
    failOf(run, `it says ${fixed.state}, and there is a decision of it`);
  if (fixed.closedAt === undefined || NEVER_RAN.includes(fixed.state)) return;
  // One that failed may have died before anything was decided.
  if (!isDecided && fixed.state !== 'failed') failOf(run, 'it says that it ran, and there is no decision of it');
  if (KEPT_PROMISE.includes(fixed.state) && !hasKept(promises, done.get(id)))
    failOf(run, 'it says that it did what the job promises, and no effect of its turn did');
};

const checkRuns = (jobs: Jobs, effects: Effects, runs: readonly Run[], versions: readonly Version[]): void => {
  for (const run of runs) {
    const { version, at, instant } = run.fixed;
    const made = versions[version - 1] ?? failOf(run, `there is no version ${version} of its job`);
    if (at < instant) failOf(run, 'it began before its moment');
    checkOutcome(jobs, effects, run, made);
  }
};

const checkSkills = ({ changes, performed }: Jobs, { decisions }: Effects): void => {
  for (const change of changes) {
    const { signal } = change.fixed;
    const count = decisions.get(signal)?.actions.length ?? 0;
    const isMade = Array.from({ length: count }, (_, n) => effectId(signal, n)).some((id) => performed.has(id));
    if (!isMade) failOf(change, 'no effect of the log made it: only an approved action may change a skill');
  }
};

/** @param dueTo moments up to here have their occurrence, if the log shows that the service ran */
export const endJobs = (
  jobs: Jobs,
  effects: Effects,
  dueTo: number,
  momentsBetween: MomentsBetween | undefined,
): void => {
  for (const name of new Set([...jobs.versions.keys(), ...jobs.runs.keys()])) {
    const versions = (jobs.versions.get(name) ?? []).toSorted((a, b) => a.fixed.version - b.fixed.version);
    const runs = jobs.runs.get(name) ?? [];
    checkVersions(jobs, versions);
    checkRuns(jobs, effects, runs, versions);
    checkMoments(versions, runs, dueTo, momentsBetween);
  }
  checkSkills(jobs, effects);
};
