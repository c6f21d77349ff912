/**
 * The judge of a long run of jobs: every moment of every rule has one occurrence that tells the
 * truth. It reads the export, what servers received and what the owner asked for, computes the
 * moments by its own calendar, and imports no code of the product. Pure.
 */

import type { ObservedJobs, Violation } from '../types.ts';
import { awaited } from './awaited.ts';
import { momentsOf } from './calendar.ts';
import { closed, paused, policy, seenOnce } from './jobs-ends.ts';
import { asked, byCondition, wanted } from './jobs-starts.ts';
import {
  buildJobsRun,
  type Job,
  type JobsRule,
  LATE_AFTER_MS,
  nameOf,
  type Occurrence,
  timeText,
  type Version,
  versionOf,
} from './jobs-view.ts';
import { hashOf } from './json.ts';
import { log } from './log.ts';
import { buildRun } from './run.ts';

const MINUTE_MS = 60_000;
/** A moment has its occurrence within this time, at the end of a run. */
const DELAY_MS = 10 * MINUTE_MS;

/** The part of a version in which moments must have their occurrence by now. */
const spanOf = (version: Version, exportedAt: number) => ({
  from: version.from,
  until: version.until ?? exportedAt - DELAY_MS - version.definition.spreadMs,
});

const checkVersionMoments = (version: Version, own: readonly Occurrence[], exportedAt: number): readonly string[] => {
  const { rule } = version.definition;
  if (rule === undefined || version.state !== 'active')
    return own.map((one) => `${nameOf(one)} is of a version without moments`);
  const span = spanOf(version, exportedAt);
  // A moment just before the end may have its occurrence, and need not.
  const last = Math.max(span.until, own.at(-1)?.instant ?? 0);
  const expected = momentsOf(rule, { from: span.from, until: last });
  const known = new Set(expected.map(({ at }) => at));
  const counts = Map.groupBy(own, ({ instant }) => instant);
  const missing = expected.filter(({ at }) => at <= span.until && !counts.has(at));
  let before = version.from;
  const wrong = missing.map(({ at }) => `${version.id} has no occurrence for ${timeText(at)}`);
  for (const one of own) {
    if (!known.has(one.instant)) wrong.push(`${nameOf(one)} is no moment of its rule`);
    if (one.after !== before) wrong.push(`${nameOf(one)} does not name the moment before it`);
    before = one.instant;
  }
  for (const [at, list] of counts)
    if (list.length > 1) wrong.push(`${version.id} has two occurrences for ${timeText(at)}`);
  return wrong;
};

const ruleRuns = ({ occurrences }: Job): readonly Occurrence[] => occurrences.filter(({ kind }) => kind === 'rule');

const moments: JobsRule = {
  name: 'job-moment',
  promise: 'Each moment of each version has exactly one occurrence, and there are no others.',
  check: ({ jobs, exportedAt }) =>
    jobs.flatMap((job) => {
      const own = Map.groupBy(ruleRuns(job), ({ version }) => version);
      const strange = [...own.keys()].filter((n) => job.versions[n - 1] === undefined);
      return [
        ...strange.map((n) => `${job.name} has occurrences of version ${n}, which does not exist`),
        ...job.versions.flatMap((version) => checkVersionMoments(version, own.get(version.n) ?? [], exportedAt)),
      ];
    }),
};

const shifted: JobsRule = {
  name: 'job-shifted',
  promise: 'A time that the clock leaves out runs at the first moment after it and says so; others do not say so.',
  check: ({ jobs }) =>
    jobs.flatMap((job) =>
      ruleRuns(job).flatMap((one) => {
        const rule = versionOf(job, one)?.definition.rule;
        const [moment] = rule === undefined ? [] : momentsOf(rule, { from: one.instant - 1, until: one.instant });
        if (moment === undefined || moment.shifted === 'either') return [];
        return (moment.shifted === 'yes') === one.isShifted
          ? []
          : [`${nameOf(one)} tells the shift of its clock wrong`];
      }),
    ),
};

const early: JobsRule = {
  name: 'job-early',
  promise: 'Nothing starts before its moment.',
  check: ({ jobs }) =>
    jobs.flatMap((job) =>
      job.occurrences
        .filter(({ at, instant }) => at < instant)
        .map((one) => `${nameOf(one)} began at ${timeText(one.at)}`),
    ),
};

const checkLate = (job: Job, one: Occurrence): readonly string[] => {
  const spreadMs = versionOf(job, one)?.definition.spreadMs ?? 0;
  const [least, most] = [one.at - one.instant - spreadMs, one.at - one.instant];
  if (one.lateMs === undefined)
    return one.state === 'late' || least > LATE_AFTER_MS
      ? [`${nameOf(one)} began late and does not say by how much`]
      : [];
  const isRight = one.lateMs >= least && one.lateMs <= most && one.lateMs > LATE_AFTER_MS;
  return isRight && one.state !== 'fired' ? [] : [`${nameOf(one)} says that it was ${one.lateMs} ms late`];
};

const late: JobsRule = {
  name: 'job-late',
  promise: 'A run that began late says so, and by how much.',
  check: ({ jobs }) =>
    jobs.flatMap((job) =>
      ruleRuns(job)
        .filter(({ hasRun }) => hasRun)
        .flatMap((one) => checkLate(job, one)),
    ),
};

/** Ticks that may pass a due job over without a cause that is seen from outside. */
const TICKS_MAX = 3;

const onTime: JobsRule = {
  name: 'job-on-time',
  promise: 'A moment waits for its occurrence only while ticks are missing or something is down.',
  check: ({ jobs, observed: { ticks, gaps, troubles } }) => {
    const firstAfter = (list: readonly number[], at: number): number => {
      let [low, high] = [0, list.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((list[middle] ?? 0) < at) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const troubleTimes = troubles.map(({ at }) => at).sort((a, b) => a - b);
    const tickTimes = ticks.toSorted((a, b) => a - b);
    const count = (list: readonly number[], from: number, until: number): number =>
      firstAfter(list, until) - firstAfter(list, from);
    return jobs.flatMap((job) =>
      ruleRuns(job)
        .filter((one) => {
          const start = one.instant + (versionOf(job, one)?.definition.spreadMs ?? 0);
          if (count(tickTimes, start, one.at) <= TICKS_MAX) return false;
          const isExcused = gaps.some(({ from, until }) => from <= one.at && until >= start);
          return !isExcused && count(troubleTimes, start, one.at) === 0;
        })
        .map((one) => `${nameOf(one)} was written at ${timeText(one.at)}, and nothing was in the way before`),
    );
  },
};

const versions: JobsRule = {
  name: 'job-version',
  promise: 'The versions of a job are numbered without a gap, and each has the definition that its hash is of.',
  check: ({ jobs }) =>
    jobs.flatMap((job) => [
      ...job.versions
        .filter(({ n }, at) => n !== at + 1)
        .map(({ id }) => `${id} does not follow the version before it`),
      ...job.versions
        .filter(({ hash, definition }) => hashOf('job-version', definition.fields) !== hash)
        .map(({ id }) => `${id} has another definition than its hash says`),
    ]),
};

export const JOB_RULES: readonly JobsRule[] = [
  versions,
  asked,
  moments,
  shifted,
  early,
  late,
  onTime,
  policy,
  wanted,
  byCondition,
  seenOnce,
  closed,
  paused,
];

/** One rule that is broken everywhere must not hide the others. */
const SENTENCES_MAX = 5;

export const checkJobs = (observed: ObservedJobs): readonly Violation[] => {
  const run = buildJobsRun(observed);
  const found = JOB_RULES.map(({ name, check }) => [name, check(run)] as const);
  const whole = buildRun(observed);
  const all = [...found, ...[log, awaited].map(({ name, check }) => [name, check(whole)] as const)];
  return all.flatMap(([rule, sentences]) => sentences.slice(0, SENTENCES_MAX).map((sentence) => ({ rule, sentence })));
};
