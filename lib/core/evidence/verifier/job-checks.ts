/**
 * The rules of jobs and skills. A version of a job needs the effect that made it, and is what a
 * person approved; the program itself may only pause or end a job, and make those of built-in
 * skills. An occurrence that ran needs its decision, and one that kept its promise needs the
 * effect. A change of a skill needs its effect.
 */
import { mayChange } from '../../signal/changing-tools.ts';
import { effectId } from '../record-hash.ts';
import { failOf } from './content.ts';
import type { Effects } from './effects.ts';
import { checkMoments, type MomentsBetween, type OccurrenceRun, type Version } from './job-moments.ts';
import { type ActionKind, type Changer, JOB_STATES, type Jobs } from './job-summary.ts';

const SYSTEM = 'system';
/** The program may do this to a job by itself. */
const BY_ITSELF: readonly string[] = ['paused', 'ended'];

/** A job that a skill brings is named after it. Its definition stands in the skill's files. */
const checkOfSkill = (version: Version, skill: string | undefined): void => {
  if (skill === undefined || version.job === skill || version.job.startsWith(`${skill}-`)) return;
  failOf(version, `the effect that it names made jobs of the skill ${skill}`);
};

/** A person's version: an effect made it, and it is what this effect makes. */
const checkMade = (version: Version, before: Version | undefined, changer: Changer | undefined): void => {
  const { state, definition } = version.fixed;
  const {
    tool,
    name,
    definition: approved,
  } = changer ?? failOf(version, 'no effect of the log made it: only an approved action may change a job');
  if (tool === undefined) return;
  const states = Object.hasOwn(JOB_STATES, tool) ? JOB_STATES[tool] : undefined;
  if (states === undefined) {
    checkOfSkill(version, name);
    return;
  }
  if (name !== version.job || !states.includes(state))
    failOf(version, `the effect that it names made something else: ${tool} of ${name}`);
  if (definition !== (approved ?? before?.fixed.definition))
    failOf(version, 'its definition is not the one that a person approved');
};

/** The program's own version. */
const checkOwn = (version: Version, before: Version | undefined, builtInJobs: ReadonlySet<string>): void => {
  const { state, definition } = version.fixed;
  if (BY_ITSELF.includes(state) && definition === before?.fixed.definition) return;
  if (!builtInJobs.has(version.job))
    failOf(version, 'no person made it, and the program itself may only pause or end a job that is not built in');
};

const checkVersions = ({ performed }: Jobs, versions: readonly Version[], builtInJobs: ReadonlySet<string>): void => {
  for (const [index, version] of versions.entries()) {
    const before = versions[index - 1];
    const { version: n, from, by, effect } = version.fixed;
    if (n !== index + 1) failOf(version, `version ${index + 1} of the job is missing`);
    if (before !== undefined && from < before.fixed.from) failOf(version, 'it begins before the version before it');
    if (by !== SYSTEM) checkMade(version, before, performed.get(effect));
    else checkOwn(version, before, builtInJobs);
  }
};

const NEVER_RAN: readonly string[] = ['skipped', 'missed'];
const KEPT_PROMISE: readonly string[] = ['fired', 'late'];

const hasKept = (promises: Version['promises'], done: ReadonlySet<ActionKind> | undefined): boolean => {
  if (promises === undefined || done?.has('hidden') === true) return true;
  return promises === 'any' ? done?.has('text') === true || done?.has('call') === true : done?.has(promises) === true;
};

const checkOutcome = (
  { done }: Jobs,
  { decisions }: Effects,
  run: OccurrenceRun,
  { promises, isByStep }: Version,
): void => {
  const { id, fixed } = run;
  const isDecided = decisions.has(id);
  if (NEVER_RAN.includes(fixed.state) && isDecided)
    failOf(run, `it says ${fixed.state}, and there is a decision of it`);
  if (fixed.closedAt === undefined || NEVER_RAN.includes(fixed.state)) return;
  // Nothing may be decided yet of one that failed or was stopped. Steps are decided one by one.
  if (!isDecided && !isByStep && fixed.state !== 'failed' && fixed.state !== 'stopped')
    failOf(run, 'it says that it ran, and there is no decision of it');
  if (KEPT_PROMISE.includes(fixed.state) && !hasKept(promises, done.get(id)))
    failOf(run, 'it says that it did what the job promises, and no effect of its turn did');
};

const checkRuns = (
  jobs: Jobs,
  effects: Effects,
  runs: readonly OccurrenceRun[],
  versions: readonly Version[],
): void => {
  for (const run of runs) {
    const { version, at, instant } = run.fixed;
    const made = versions[version - 1] ?? failOf(run, `there is no version ${version} of its job`);
    if (at < instant) failOf(run, 'it began before its moment');
    checkOutcome(jobs, effects, run, made);
  }
};

/** A call need not name the skill or its version; if it does, they are the ones of the change. */
const isMadeBy = (change: Jobs['changes'][number], changer: Changer | undefined): boolean => {
  if (changer === undefined) return false;
  const { tool, name = change.fixed.skill, version = change.fixed.version } = changer;
  if (tool === undefined) return true;
  return mayChange(tool, 'skill') && name === change.fixed.skill && version === change.fixed.version;
};

const checkSkills = ({ changes, performed }: Jobs, { decisions }: Effects): void => {
  for (const change of changes) {
    const { signal } = change.fixed;
    const count = decisions.get(signal)?.actions.length ?? 0;
    const isMade = Array.from({ length: count }, (_, n) => effectId(signal, n)).some((id) =>
      isMadeBy(change, performed.get(id)),
    );
    if (!isMade) failOf(change, 'no effect of the log made it: only an approved action may change a skill');
  }
};

/** The caller's knowledge of jobs beside the log. */
export interface JobKnowledge {
  readonly momentsBetween?: MomentsBetween | undefined;
  /** Names of the jobs that built-in skills bring; the program itself makes them. */
  readonly builtInJobs?: readonly string[] | undefined;
}

/** @param dueTo moments up to here have their occurrence, if the log shows that the service ran */
export const endJobs = (
  jobs: Jobs,
  effects: Effects,
  dueTo: number,
  { momentsBetween, builtInJobs = [] }: JobKnowledge,
): void => {
  const own = new Set(builtInJobs);
  for (const name of new Set([...jobs.versions.keys(), ...jobs.runs.keys()])) {
    const versions = (jobs.versions.get(name) ?? []).toSorted((a, b) => a.fixed.version - b.fixed.version);
    const runs = jobs.runs.get(name) ?? [];
    checkVersions(jobs, versions, own);
    checkRuns(jobs, effects, runs, versions);
    checkMoments(versions, runs, dueTo, momentsBetween);
  }
  checkSkills(jobs, effects);
};
