/** Occurrences and jobs in one line each, for a person. Pure. */
import { localTime, ruleWords, zoneOf } from './describe-rule.ts';
import type { Job } from './job.ts';
import type { Occurrence } from './occurrence.ts';
import type { HistoryEntry, LiveJobs } from './read-jobs.ts';
import { stateWords } from './state-words.ts';

const KINDS: Readonly<Record<Occurrence['kind'], string>> = {
  rule: '',
  run: ' (run by a person)',
  event: ' (for an event)',
  condition: ' (its condition became true)',
};

/** `Tue 2026-11-24 08:00  ran late by 4 min  /why job-morning-…` */
export const describeOccurrence = ({ signalId, occurrence }: HistoryEntry, zone: string): string => {
  const { instant, kind, isShifted } = occurrence;
  const moved = isShifted === true ? ', moved: the clock leaves that time out' : '';
  return `${localTime(instant, zone)}  ${stateWords(occurrence)}${moved}${KINDS[kind]}  /why ${signalId}`;
};

const nextWords = ({ state, unfinishedAt, definition: { when } }: Job, zone: string): string => {
  if (state !== 'active') return state;
  return unfinishedAt === undefined ? 'active' : `active, next ${localTime(unfinishedAt, zoneOf(when, zone))}`;
};

/** `morning: active, next Tue 2026-11-24 08:00; cron 0 8 * * 1-5 …` */
export const describeJobShortly = (job: Job, zone: string): string => {
  const { name, definition, running, failures } = job;
  const parts = [
    `${nextWords(job, zone)}; ${ruleWords(definition.when, zone)}`,
    ...(running === 0 ? [] : [`${running} running`]),
    ...(failures === 0 ? [] : [`${failures} failures in a row`]),
  ];
  return `${name}: ${parts.join('; ')}`;
};

/** A line for each job, and one that says if there are more. */
export const describeJobs = ({ jobs, hasMore }: LiveJobs, zone: string): readonly string[] => [
  ...jobs.map((job) => describeJobShortly(job, zone)),
  ...(hasMore ? ['… and more: npx passepartout jobs list shows all of them.'] : []),
];
