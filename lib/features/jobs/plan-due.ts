/**
 * Plans what happens to the moments of a job that are due: which of them runs, and why the others
 * do not. Every moment gets an occurrence; none is passed over. Pure.
 */
import { createHash } from 'node:crypto';
import { defined } from '../../core/base/defined.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import type { OccurrenceState } from '../../core/signal/job-run.ts';
import type { Job, JobDefinition } from './job.ts';
import type { Occurrence } from './occurrence.ts';
import { type Moment, momentsBetween, nextMoment } from './rule.ts';

/** The heartbeat ticks each minute; a start after two lost ticks is no longer on time. */
const LATE_AFTER_MS = 3 * MINUTE_MS;
/** Each occurrence takes two writes of a transaction, which has room for 100. */
export const OCCURRENCES_PER_WRITE_MAX = 40;
/** Moments within the longest catch-up: one for each minute of a day. */
const WINDOW_MOMENTS_MAX = 1_441;

/** Searched first for the newest moments: the whole window of a minutely rule has hundreds. */
const RECENT_MS = 15 * MINUTE_MS;

export interface Planned extends Pick<Occurrence, 'instant' | 'after' | 'why' | 'lateMs' | 'isShifted'> {
  readonly state: Extract<OccurrenceState, 'fired' | 'late' | 'skipped' | 'missed'>;
}

export interface DuePlan {
  /** The oldest first. */
  readonly planned: readonly Planned[];
  /** Every moment up to here is accounted for, epoch milliseconds. */
  readonly accountedTo: number;
  /** When the next moment starts, with its spread; undefined if the rule has none. */
  readonly nextDueAt: number | undefined;
}

/** When a moment starts: jobs with a spread each have a place of their own in it. */
export const startOf = ({ name, spreadSeconds }: JobDefinition, instant: number): number => {
  if (spreadSeconds === 0) return instant;
  const word = createHash('sha256').update(`${name} ${instant}`).digest().readUInt32BE();
  return instant + (word % (spreadSeconds + 1)) * SECOND_MS;
};

export const nextStart = (definition: JobDefinition, after: number): number | undefined => {
  const next = nextMoment(definition.when, after);
  return next === undefined ? undefined : startOf(definition, next.at);
};

const longWords = (ms: number): string =>
  ms < HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.round((ms / HOUR_MS) * 10) / 10} h`;

/** The moments that run: the newest within the window of the catch-up, as many as it allows. */
const findRuns = (
  { definition, accountedTo }: Pick<Job, 'definition' | 'accountedTo'>,
  now: number,
): ReadonlySet<number> => {
  const { when, catchUp, spreadSeconds } = definition;
  const windowMs = catchUp.mode === 'skip' ? LATE_AFTER_MS : Math.max(LATE_AFTER_MS, catchUp.minutes * MINUTE_MS);
  const from = Math.max(accountedTo, now - windowMs - spreadSeconds * SECOND_MS - 1);
  const wanted = catchUp.mode === 'all' ? catchUp.runs : 1;
  const newestSince = (since: number): readonly Moment[] =>
    momentsBetween(when, Math.max(from, since), now, WINDOW_MOMENTS_MAX)
      .filter(({ at }) => {
        const start = startOf(definition, at);
        return start <= now && now - start <= windowMs;
      })
      .slice(-wanted);
  // Most rules have enough moments at the end of the window.
  const recent = newestSince(now - RECENT_MS);
  const runs = recent.length === wanted ? recent : newestSince(from);
  return new Set(runs.map(({ at }) => at));
};

/** Due moments in order. The first that has not started yet ends them: none is passed over. */
const findDue = (definition: JobDefinition, after: number, now: number): readonly Moment[] => {
  const moments = momentsBetween(definition.when, after, now, OCCURRENCES_PER_WRITE_MAX);
  const end = moments.findIndex(({ at }) => startOf(definition, at) > now);
  return end < 0 ? moments : moments.slice(0, end);
};

const whyMissed = ({ catchUp }: JobDefinition, lateMs: number, hasNewer: boolean): string => {
  if (hasNewer) return `a newer run takes its place; this one was ${longWords(lateMs)} late`;
  return catchUp.mode === 'skip'
    ? `it would have been ${longWords(lateMs)} late, and this job is not caught up with`
    : `it would have been ${longWords(lateMs)} late, and this job is caught up with for ${longWords(catchUp.minutes * MINUTE_MS)}`;
};

/** @param refusal why nothing runs now, such as a stop */
export const planDue = (job: Job, now: number, refusal: string | undefined): DuePlan => {
  const { definition } = job;
  const runs = findRuns(job, now);
  const isBusy = job.running > 0 && definition.overlap === 'skip';
  const skip = refusal ?? (isBusy ? 'the run before it has not ended' : undefined);
  let after = job.accountedTo;
  const planned = findDue(definition, job.accountedTo, now).map(({ at, isShifted }): Planned => {
    const lateMs = now - startOf(definition, at);
    const base = { instant: at, after, ...defined({ isShifted: isShifted ? (true as const) : undefined }) };
    after = at;
    if (!runs.has(at))
      return {
        ...base,
        state: 'missed',
        why: whyMissed(
          definition,
          lateMs,
          [...runs].some((run) => run > at),
        ),
      };
    if (skip !== undefined) return { ...base, state: 'skipped', why: skip };
    return lateMs > LATE_AFTER_MS ? { ...base, state: 'late', lateMs } : { ...base, state: 'fired' };
  });
  return { planned, accountedTo: after, nextDueAt: nextStart(definition, after) };
};
