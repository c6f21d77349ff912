/** Jobs that failures paused, and moments that nobody made up for. Reads only. */

import { utcMinute } from '../../core/base/utc-minute.ts';
import { type Finding, finding } from '../../core/language/finding.ts';
import { indexPartitions, jobKeys, signalIdOf } from '../../core/store/keys.ts';
import type { FullReadTable } from '../../core/store/table.ts';
import { type Job, parseJobVersion } from './job.ts';
import { parseOccurrence } from './occurrence.ts';
import { lookAtJobs } from './read-jobs.ts';

/** Active jobs whose newest moment is looked at: one query each. */
const MOMENTS_LOOKED_MAX = 10;

/** A job that a person paused is as it should be. */
const findPaused = async (table: FullReadTable, space: string, jobs: readonly Job[]): Promise<readonly Finding[]> => {
  if (jobs.length === 0) return [];
  const versions = await table.load(jobs.map(({ name, version }) => jobKeys.version(space, name, version)));
  return versions.flatMap((item) => {
    const version = item === undefined ? undefined : parseJobVersion(item);
    if (version?.by !== 'system' || version.state !== 'paused') return [];
    return [finding('jobPaused', version.name, version.why ?? 'paused')];
  });
};

/** It holds until the job's next moment. */
const findMissed = async (table: FullReadTable, space: string, jobs: readonly Job[]): Promise<readonly Finding[]> => {
  const newest = await Promise.all(
    jobs.map(({ name }) => {
      const partition = indexPartitions.jobFeed(space, name);
      return table.queryIndex({ index: 'feed', partition, limit: 1, isDescending: true });
    }),
  );
  const keys = newest.flatMap(({ items }) => items.map(({ pk }) => jobKeys.occurrence(space, signalIdOf(pk, space))));
  const found = keys.length === 0 ? [] : await table.load(keys);
  return found.flatMap((item) => {
    const occurrence = item === undefined ? undefined : parseOccurrence(item);
    if (occurrence?.state !== 'missed') return [];
    return [finding('jobMissed', occurrence.job, utcMinute(occurrence.instant))];
  });
};

export const findJobProblems = async (table: FullReadTable, space: string): Promise<readonly Finding[]> => {
  const { jobs } = await lookAtJobs(table, space);
  const inState = (state: Job['state']): readonly Job[] => jobs.filter((job) => job.state === state);
  const [paused, missed] = await Promise.all([
    findPaused(table, space, inState('paused')),
    findMissed(table, space, inState('active').slice(0, MOMENTS_LOOKED_MAX)),
  ]);
  return [...paused, ...missed];
};
