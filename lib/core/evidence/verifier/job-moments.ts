/**
 * The moments of a job's rule. Each has one occurrence, which names the moment before it and
 * belongs to the version in force then. If the caller can compute rules, they are computed again:
 * no moment may be missing, and none may be made up.
 */
import { MINUTE_MS } from '../../base/limits.ts';
import type { FixedJob, FixedOccurrence } from '../record-hash.ts';
import { failOf, type Subject } from './content.ts';
import type { Fields } from './fields.ts';

/** A version of a job. Without its definition it is not known what it promises. */
export interface Version extends Subject {
  readonly job: string;
  readonly fixed: Pick<FixedJob, 'version' | 'state' | 'definition' | 'when' | 'from' | 'by' | 'effect'>;
  /** Kind of effect that a run must have; undefined if any, or none, will do. */
  readonly promises: 'text' | 'call' | 'any' | undefined;
  /** Its runs are decided on step by step; those of a runbook may leave each step out. */
  readonly isByStep: boolean;
  readonly spreadMs: number;
}

export interface OccurrenceRun extends Subject {
  readonly fixed: FixedOccurrence;
}

/** Computes the moments of a rule after a time, up to another, at most so many. It may throw. */
export type MomentsBetween = (
  when: Fields,
  after: number,
  until: number,
  most: number,
) => readonly { readonly at: number; readonly isShifted: boolean }[];

/** A moment has its occurrence within this time, if the service runs. */
export const MOMENT_DELAY_MS = 10 * MINUTE_MS;

/** Rules in time; the others start when something happens. */
const TIMED: readonly string[] = ['once', 'every', 'cron'];

const timeText = (at: number): string => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
};

/** The version whose moments these are: the last that began before it. */
const inForceAt = (versions: readonly Version[], instant: number): Version | undefined =>
  versions.findLast(({ fixed }) => fixed.from < instant);

const checkVersion = (run: OccurrenceRun, version: Version | undefined): void => {
  const { fixed } = version ?? failOf(run, 'its job did not exist at its moment');
  if (fixed.version !== run.fixed.version)
    failOf(run, `it is of version ${run.fixed.version}, and version ${fixed.version} was in force at its moment`);
  if (fixed.state !== 'active') failOf(run, `the job was ${fixed.state} at its moment`);
  if (!TIMED.includes(String(fixed.when.kind))) failOf(run, 'its job has no rule in time');
};

/** @param runs of moments of the rule, the oldest first */
const checkChain = (versions: readonly Version[], runs: readonly OccurrenceRun[]): void => {
  let before: OccurrenceRun | undefined;
  for (const run of runs) {
    const { instant, after } = run.fixed;
    if (instant === before?.fixed.instant) failOf(run, 'its moment has two occurrences');
    const version = inForceAt(versions, instant);
    checkVersion(run, version);
    const isFirst = before?.fixed.version !== run.fixed.version;
    const expected = isFirst ? version?.fixed.from : before?.fixed.instant;
    if (after !== expected)
      failOf(
        run,
        `it says that it follows ${after === undefined ? 'nothing' : timeText(after)}, and the log has ${timeText(expected ?? 0)} before it: an occurrence between is missing`,
      );
    before = run;
  }
};

const compute = (version: Version, until: number, most: number, momentsBetween: MomentsBetween) => {
  const { when, from } = version.fixed;
  try {
    return momentsBetween(when, from, until, most);
  } catch (error) {
    return failOf(version, `its rule cannot be computed: ${error instanceof Error ? error.message : 'it is no rule'}`);
  }
};

/** @param runs of this version's moments @param end of the version; undefined if it is the last */
const checkRule = (
  version: Version,
  runs: readonly OccurrenceRun[],
  end: number | undefined,
  dueTo: number,
  momentsBetween: MomentsBetween,
): void => {
  const last = runs.at(-1)?.fixed;
  // One that was written just now may be of a job that catches up: the next is on its way.
  const due = last !== undefined && last.at > dueTo ? 0 : Math.min(end ?? dueTo, dueTo - version.spreadMs);
  const until = Math.max(due, last?.instant ?? 0);
  const moments = compute(version, until, runs.length + 1, momentsBetween);
  for (let n = 0; n < Math.max(moments.length, runs.length); n += 1) {
    const [moment, run] = [moments[n], runs[n]];
    if (moment !== undefined && (run === undefined || moment.at < run.fixed.instant))
      failOf(version, `its moment ${timeText(moment.at)} has no occurrence`);
    if (run === undefined) continue;
    if (moment === undefined || moment.at > run.fixed.instant) failOf(run, 'its rule has no such moment');
    if ((run.fixed.isShifted ?? false) !== moment?.isShifted)
      failOf(run, 'it does not say rightly whether the clock leaves its time out');
  }
};

/** @param versions in order, without a gap @param dueTo epoch milliseconds */
export const checkMoments = (
  versions: readonly Version[],
  all: readonly OccurrenceRun[],
  dueTo: number,
  momentsBetween: MomentsBetween | undefined,
): void => {
  const runs = all.filter(({ fixed }) => fixed.kind === 'rule').toSorted((a, b) => a.fixed.instant - b.fixed.instant);
  checkChain(versions, runs);
  if (momentsBetween === undefined) return;
  for (const [index, version] of versions.entries()) {
    const { state, when, version: n } = version.fixed;
    if (state !== 'active' || !TIMED.includes(String(when.kind))) continue;
    const end = versions[index + 1]?.fixed.from;
    checkRule(
      version,
      runs.filter(({ fixed }) => fixed.version === n),
      end,
      dueTo,
      momentsBetween,
    );
  }
};
