/** Jobs in one line each; those that came with the program say what they are for. Pure. */

import { localTime } from '../../core/base/clock.ts';
import { BUILT_IN_JOBS } from '../built-in-jobs.ts';
import { ruleWords, zoneOf } from './describe-rule.ts';
import type { Job } from './job.ts';
import type { JobWords } from './job-texts.ts';
import type { LiveJobs } from './read-jobs.ts';

const nextWords = (
  say: JobWords,
  { state, unfinishedAt, definition: { when } }: Job,
  zone: string,
  now: number,
): string => {
  if (state !== 'active') return say.states[state];
  if (unfinishedAt !== undefined && unfinishedAt <= now) return say.due;
  return unfinishedAt === undefined
    ? say.states.active
    : say.activeNext(localTime(say, unfinishedAt, zoneOf(when, zone)));
};

/** The purpose of a job that came with the program; undefined for another. */
export const purposeOf = (job: string): string | undefined => BUILT_IN_JOBS.flatMap((find) => find(job) ?? [])[0];

/** Its rule and its runs: `Every 5 minutes; 1 running`. */
export const describeWork = (say: JobWords, job: Job, zone: string): string => {
  const { name, definition, running } = job;
  const failures = job.state === 'paused' ? 0 : job.failures;
  const purpose = purposeOf(name);
  return [
    purpose === undefined ? ruleWords(say, definition.when, zone) : say.builtIn(purpose),
    ...(running === 0 ? [] : [say.running(running)]),
    ...(failures === 0 ? [] : [say.failures(failures)]),
  ].join('; ');
};

/** `morning: active, next Tue 2026-11-24 08:00; …` @param pausedBecause why, if it is known */
export const describeJobShortly = (
  say: JobWords,
  job: Job,
  zone: string,
  now: number,
  pausedBecause?: string,
): string => `${job.name}: ${pausedBecause ?? nextWords(say, job, zone, now)}; ${describeWork(say, job, zone)}`;

export const describeMore = (say: JobWords, cursor: string | undefined): readonly string[] =>
  cursor === undefined ? [] : [say.more(cursor)];

/** A line for each job, and one that says if there are more. */
export const describeJobs = (
  say: JobWords,
  { jobs, cursor }: LiveJobs,
  zone: string,
  now: number,
): readonly string[] => [...jobs.map((job) => describeJobShortly(say, job, zone, now)), ...describeMore(say, cursor)];
