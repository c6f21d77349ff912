/** Jobs in one line each; those of built-in skills say what they are for. Pure. */
import { localTime, ruleWords, zoneOf } from '../jobs/describe-rule.ts';
import type { Job } from '../jobs/job.ts';
import type { LiveJobs } from '../jobs/read-jobs.ts';
import { BUILT_IN } from './built-in.ts';
import { jobNamesOf } from './choose-skill.ts';

const nextWords = ({ state, unfinishedAt, definition: { when } }: Job, zone: string, now: number): string => {
  if (state !== 'active') return state;
  if (unfinishedAt !== undefined && unfinishedAt <= now) return 'active, due';
  return unfinishedAt === undefined ? 'active' : `active, next ${localTime(unfinishedAt, zoneOf(when, zone))}`;
};

/** Its rule and its runs: `Every 5 minutes; 1 running`. */
export const describeWork = (job: Job, zone: string): string => {
  const { name, definition, running } = job;
  const failures = job.state === 'paused' ? 0 : job.failures;
  const skill = BUILT_IN.find((one) => jobNamesOf(one.definition).includes(name))?.definition;
  return [
    skill === undefined ? ruleWords(definition.when, zone) : `built in: ${skill.description}`,
    ...(running === 0 ? [] : [`${running} running`]),
    ...(failures === 0 ? [] : [`${failures} ${failures === 1 ? 'failure' : 'failures'} in a row`]),
  ].join('; ');
};

/** `morning: active, next Tue 2026-11-24 08:00; …` @param pausedBecause why, if it is known */
export const describeJobShortly = (job: Job, zone: string, now: number, pausedBecause?: string): string =>
  `${job.name}: ${pausedBecause ?? nextWords(job, zone, now)}; ${describeWork(job, zone)}`;

export const describeMore = (cursor: string | undefined): readonly string[] =>
  cursor === undefined ? [] : [`… and more: npx passepartout jobs list --cursor ${cursor}`];

/** A line for each job, and one that says if there are more. */
export const describeJobs = ({ jobs, cursor }: LiveJobs, zone: string, now: number): readonly string[] => [
  ...jobs.map((job) => describeJobShortly(job, zone, now)),
  ...describeMore(cursor),
];
