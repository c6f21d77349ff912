/** Reads jobs, their versions and their occurrences. */

import { utcMinute } from '../../core/base/utc-minute.ts';
import { type Finding, finding } from '../../core/language/finding.ts';
import { JobRun } from '../../core/signal/job-run.ts';
import { indexPartitions, jobKeys, signalIdOf } from '../../core/store/keys.ts';
import { loadEntries, loadItem } from '../../core/store/load-named.ts';
import { parseStored, readOrSkip } from '../../core/store/parse-stored.ts';
import type { Table } from '../../core/store/table.ts';
import { type Job, type JobVersion, parseJob, parseJobVersion } from './job.ts';
import { type Occurrence, parseOccurrence } from './occurrence.ts';

/** Begins the sort key of a job. */
const JOB_PREFIX = 'job#';

export const loadJob = async (table: Pick<Table, 'load'>, space: string, name: string): Promise<Job | undefined> => {
  const item = await loadItem(table, jobKeys.record(space, name));
  return item === undefined ? undefined : parseJob(item);
};

export const loadVersion = async (
  table: Pick<Table, 'load'>,
  space: string,
  name: string,
  n: number,
): Promise<JobVersion | undefined> => {
  const item = await loadItem(table, jobKeys.version(space, name, n));
  return item === undefined ? undefined : parseJobVersion(item);
};

export interface JobsPage {
  readonly jobs: readonly Job[];
  readonly cursor?: string | undefined;
}

/** Jobs by name, removed ones too. */
export const listJobs = async (
  table: Pick<Table, 'query'>,
  space: string,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<JobsPage> => {
  const { items, cursor } = await table.query({ pk: jobKeys.partition(space), skPrefix: JOB_PREFIX, ...page });
  return { jobs: items.map(parseJob), cursor };
};

/** Jobs that one answer names. */
const JOBS_LISTED_MAX = 50;

/** Jobs that are not removed, by name. */
export interface LiveJobs {
  readonly jobs: readonly Job[];
  /** Of the next page, if there are more than one answer names. */
  readonly cursor: string | undefined;
}

const isLive = ({ state }: Job): boolean => state !== 'removed';

/** For whoever decides. @throws StoredItemError for a job of a later release */
export const listLiveJobs = async (table: Pick<Table, 'query'>, space: string): Promise<LiveJobs> => {
  const { jobs, cursor } = await listJobs(table, space, { limit: JOBS_LISTED_MAX });
  return { jobs: jobs.filter(isLive), cursor };
};

/** For whoever looks: a job of a later release hides no other. It is counted. */
export const lookAtJobs = async (
  table: Pick<Table, 'query'>,
  space: string,
  after?: string,
): Promise<LiveJobs & { readonly unread: number }> => {
  const page = { limit: JOBS_LISTED_MAX, cursor: after };
  const { items, cursor } = await table.query({ pk: jobKeys.partition(space), skPrefix: JOB_PREFIX, ...page });
  const jobs = items.flatMap((item) => readOrSkip(item, parseJob) ?? []);
  return { jobs: jobs.filter(isLive), cursor, unread: items.length - jobs.length };
};

/** Rows that one page of the index shows. */
const INDEX_PAGE_MAX = 100;

/** Jobs that wait with a moment of before `upTo`. */
export const findBehind = async (
  table: Pick<Table, 'queryIndex'>,
  space: string,
  upTo: number,
): Promise<readonly Finding[]> => {
  const partition = indexPartitions.jobs(space);
  const page = await table.queryIndex({ index: 'unfinished', partition, upTo, limit: INDEX_PAGE_MAX });
  const [first, ...others] = page.items.filter(({ sk }) => String(sk).startsWith(JOB_PREFIX));
  if (first === undefined) return [];
  const since = utcMinute(Number(first.unfinishedAt));
  return [finding('jobsWait', others.length + 1, page.cursor !== undefined, since)];
};

export interface HistoryEntry {
  readonly signalId: string;
  readonly occurrence: Occurrence;
}

/** Runs that one answer names: more never work at once. */
const TASKS_SHOWN_MAX = 20;

/** Rows of runs: those of jobs, and of helpers, which have the same beginning. */
const RUN_ROWS: readonly unknown[] = ['occurrence', 'task'];

/** Runs of jobs, and helpers, that have not ended. */
export const loadTasks = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
): Promise<readonly { readonly signalId: string; readonly job: string; readonly at: number }[]> => {
  const partition = indexPartitions.jobs(space);
  const { items } = await table.queryIndex({ index: 'unfinished', partition, limit: INDEX_PAGE_MAX });
  const runs = await loadEntries(table, items.filter(({ sk }) => RUN_ROWS.includes(sk)).slice(0, TASKS_SHOWN_MAX));
  return runs.flatMap((item) => {
    const { job, closedAt, instant } = parseStored(item, JobRun);
    const at = typeof item.at === 'number' ? item.at : instant;
    return closedAt === undefined ? [{ signalId: signalIdOf(item.pk, space), job, at }] : [];
  });
};

/** Occurrences of a job, the newest first. */
export const loadHistory = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  name: string,
  limit: number,
): Promise<readonly HistoryEntry[]> => {
  const partition = indexPartitions.jobFeed(space, name);
  const { items } = await table.queryIndex({ index: 'feed', partition, limit, isDescending: true });
  const found = await table.load(
    items.map(({ pk }) => jobKeys.occurrence(space, signalIdOf(pk, space))),
    { isConsistent: true },
  );
  return found.flatMap((item) =>
    item === undefined ? [] : [{ signalId: signalIdOf(item.pk, space), occurrence: parseOccurrence(item) }],
  );
};
