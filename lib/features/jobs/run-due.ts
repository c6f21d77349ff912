/**
 * Closes runs that have ended, and starts those that are due. Two heartbeats, a late and a lost
 * tick start nothing twice and lose nothing: the transaction that moves a job on is the only one
 * that starts its runs. Loaded only if something is due.
 */

import { showMoment } from '../../core/base/clock.ts';
import { StoredItemError } from '../../core/base/errors.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { loadKillSwitch } from '../../core/ledger/kill-switch.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import type { TickDeps, TickHook } from '../../core/operations/hooks.ts';
import { hasRun } from '../../core/signal/job-run.ts';
import { tellOfRun } from '../../core/stages/upkeep/tell-of-run.ts';
import { indexPartitions, jobKeys } from '../../core/store/keys.ts';
import { loadEntries } from '../../core/store/load-named.ts';
import type { Item, Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { dueChange, isAsRead } from './change-job.ts';
import { checkCondition } from './check-condition.ts';
import { closeRun } from './close-run.ts';
import { type Job, parseJob } from './job.ts';
import { jobNotices } from './notice-texts.ts';
import { occurrenceId } from './occurrence.ts';
import { type DuePlan, type Planned, planDue } from './plan-due.ts';
import { zoneOf } from './rule.ts';
import { beginOccurrence, type NewOccurrence } from './write-occurrence.ts';

/** Writes of one transaction (DynamoDB's limit). */
const WRITES_MAX = 100;
/** Runs closed at once: enough to hide the time of their requests. */
const CLOSES_AT_ONCE = 16;
/** Times one job is planned in one tick: a minutely job catches up with half a day in each. */
const ROUNDS_MAX = 20;

/** Jobs that catch up in one tick: after an outage the others wait for the next ones. */
const LATE_JOBS_MAX = 10;

/** Conditions checked in one tick, five requests each: with more it would not end in time. */
const CONDITIONS_MAX = 200;

/** Enough to account for moments that do not run. */
export type SkipDeps = Pick<TickDeps, 'table' | 'space' | 'now'>;

/** Jobs that an older copy finds due; more than any space has. */
const DUE_JOBS_MAX = 1_000;
/** Two weeks of a minutely job, in half a minute; later moments are caught up with as usual. */
const SKIP_ROUNDS_MAX = 500;

/** A job's next moments, as the writes that account for them. */
interface Start {
  readonly job: Job;
  readonly planned: readonly Planned[];
  readonly writes: readonly Write[];
  /** More of its moments are due. */
  readonly isMore: boolean;
}

const toOccurrence = (job: Job, planned: Planned): NewOccurrence => ({
  ...planned,
  signalId: occurrenceId(job.name, planned.instant),
  kind: 'rule',
});

const buildStart = ({ space, now }: SkipDeps, job: Job, { planned, accountedTo, nextDueAt }: DuePlan): Start => {
  const started = planned.filter(({ state }) => hasRun(state)).length;
  const due = dueChange(space, nextDueAt === undefined ? 'ended' : 'active', nextDueAt);
  const change = {
    ...due,
    set: { ...due.set, accountedTo, ...(nextDueAt === undefined ? { state: 'ended' } : {}) },
    add: { running: started },
  };
  const move: Write = {
    kind: 'update',
    key: jobKeys.record(space, job.name),
    change,
    condition: isAsRead(job),
  };
  const begun = planned.flatMap((one) => beginOccurrence(space, job, toOccurrence(job, one), now));
  return { job, planned, writes: [move, ...begun], isMore: nextDueAt !== undefined && nextDueAt <= now };
};

const isLate = ({ planned }: Start): boolean => planned.some(({ state }) => state === 'late');

const newestInstant = ({ planned }: Start): number => planned.at(-1)?.instant ?? 0;

/** Leaves late jobs beyond so many for the next tick: those with the newest moments go first. */
const takeTurns = (starts: readonly Start[], lateMax: number): readonly Start[] => {
  const late = starts.filter(isLate).sort((a, b) => newestInstant(b) - newestInstant(a));
  const waiting = new Set(late.slice(lateMax));
  return starts.filter((start) => !waiting.has(start));
};

/** As many starts in one transaction as fit. */
const pack = (starts: readonly Start[]): readonly (readonly Start[])[] => {
  const packs: Start[][] = [];
  let room = 0;
  for (const start of starts) {
    if (start.writes.length > room) {
      packs.push([]);
      room = WRITES_MAX;
    }
    packs.at(-1)?.push(start);
    room -= start.writes.length;
  }
  return packs;
};

/** @returns those that this heartbeat started; something else changed the others first */
const store = async (deps: SkipDeps, starts: readonly Start[]): Promise<readonly Start[]> => {
  if (await wasWritten(deps.table.transact(starts.flatMap(({ writes }) => writes)))) return starts;
  if (starts.length < 2) return [];
  const stored: Start[] = [];
  for (const start of starts) stored.push(...(await store(deps, [start])));
  return stored;
};

const publish = (deps: TickDeps, starts: readonly Start[]): Promise<void> =>
  deps.publishManyPerceive(
    starts.flatMap(({ job, planned }) =>
      planned
        .filter(({ state }) => hasRun(state))
        .map(({ instant }) => {
          const signal = { space: deps.space, session: jobSession(job.name), id: occurrenceId(job.name, instant) };
          return { message: perceiveMessage(signal), step: 'perceive:0' };
        }),
    ),
  );

/** One text for all that a job has missed in this tick. */
const tellMissed = async (deps: TickDeps, { name, definition }: Job, list: readonly Planned[]): Promise<void> => {
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined) return;
  const zone = zoneOf(definition.when);
  const words = [first, last].map(({ instant }) => showMoment(instant, zone));
  const notice = jobNotices.jobMissed(name, list.length, words[0] ?? '', words[1] ?? '', last.why ?? '');
  await tellOfRun(deps, occurrenceId(name, last.instant), [notice]);
};

interface Progress {
  readonly job: Job;
  readonly missed: readonly Planned[];
}

const advance = ({ job, missed }: Progress, { planned }: Start): Progress => ({
  job: {
    ...job,
    accountedTo: planned.at(-1)?.instant ?? job.accountedTo,
    running: job.running + planned.filter(({ state }) => hasRun(state)).length,
  },
  missed: [...missed, ...planned.filter(({ state }) => state === 'missed')],
});

/** @returns the number of runs started */
const startDue = async (deps: TickDeps, jobs: readonly Job[]): Promise<number> => {
  if (jobs.length === 0) return 0;
  const isStopped = (await loadKillSwitch(deps.table, deps.space))?.isStopped === true;
  const refusal = isStopped ? 'everything was stopped' : undefined;
  const progress = new Map<string, Progress>(jobs.map((job) => [job.name, { job, missed: [] }]));
  let open = jobs;
  let lateJobs = 0;
  for (let round = 0; round < ROUNDS_MAX && open.length > 0; round += 1) {
    const stored: Start[] = [];
    const built = open.map((job) => buildStart(deps, job, planDue(job, deps.now, refusal)));
    const starts = takeTurns(built, LATE_JOBS_MAX - lateJobs);
    lateJobs += starts.filter(isLate).length;
    for (const some of pack(starts)) stored.push(...(await store(deps, some)));
    await publish(deps, stored);
    for (const start of stored) {
      const before = progress.get(start.job.name);
      if (before !== undefined) progress.set(start.job.name, advance(before, start));
    }
    open = stored.flatMap(({ job, isMore }) => (isMore ? (progress.get(job.name)?.job ?? []) : []));
  }
  for (const { job, missed } of progress.values()) await tellMissed(deps, job, missed);
  return [...progress.values()].reduce((sum, { job }, n) => sum + job.running - (jobs[n]?.running ?? 0), 0);
};

/** Each due moment is skipped for one reason, whatever the job says about catching up. */
const skipAll = (job: Job, now: number, why: string): DuePlan => {
  const plan = planDue(job, now, why);
  return { ...plan, planned: plan.planned.map((one) => ({ ...one, state: 'skipped', why })) };
};

/** Accounts for all due moments without a run: an older copy of the table knows none of theirs. */
export const skipDue = async (deps: SkipDeps, why: string): Promise<void> => {
  const partition = indexPartitions.jobs(deps.space);
  const query = { index: 'unfinished', partition, upTo: deps.now, limit: DUE_JOBS_MAX } as const;
  let isMore = true;
  for (let round = 0; isMore && round < SKIP_ROUNDS_MAX; round += 1) {
    const { items } = await deps.table.queryIndex(query);
    const due = items.filter(({ sk }) => sk !== 'occurrence');
    const { jobs } = readJobs(await loadEntries(deps.table, due));
    const timed = jobs.filter(({ definition }) => definition.when.kind !== 'condition');
    const starts = timed.map((job) => buildStart(deps, job, skipAll(job, deps.now, why)));
    const stored: Start[] = [];
    for (const some of pack(starts.filter(({ planned }) => planned.length > 0)))
      stored.push(...(await store(deps, some)));
    isMore = stored.some((start) => start.isMore);
  }
};

/** Parses what it can; an item of another release holds up no other job. */
const readJobs = (items: readonly Item[]): { readonly jobs: readonly Job[]; readonly unreadable?: StoredItemError } => {
  const jobs: Job[] = [];
  let unreadable: StoredItemError | undefined;
  for (const item of items) {
    try {
      jobs.push(parseJob(item));
    } catch (error) {
      if (!(error instanceof StoredItemError)) throw error;
      unreadable ??= error;
    }
  }
  return { jobs: jobs.filter(({ state }) => state === 'active'), ...(unreadable === undefined ? {} : { unreadable }) };
};

/** One run that cannot be closed holds up no other. @returns the first error */
const closeRuns = async (deps: TickDeps, runs: readonly Item[]): Promise<unknown> => {
  let fault: unknown;
  for (let first = 0; first < runs.length; first += CLOSES_AT_ONCE) {
    const closed = await Promise.allSettled(
      runs.slice(first, first + CLOSES_AT_ONCE).map((item) => closeRun(deps, item)),
    );
    for (const one of closed) if (one.status === 'rejected') fault ??= one.reason;
  }
  return fault;
};

/** One item that cannot be read holds up no other. */
export const runDue: TickHook['look'] = async (deps, due) => {
  const runs = due.filter(({ sk }) => sk === 'occurrence');
  // Runs that have ended make room for the next ones.
  const unclosed = await closeRuns(deps, runs);
  const dueJobs = due.filter((item) => !runs.includes(item));
  // A run that was closed has changed its job: as it was read before, the job would not start.
  const { jobs, unreadable } = readJobs(runs.length === 0 ? dueJobs : await loadEntries(deps.table, dueJobs));
  const isCondition = ({ definition }: Job): boolean => definition.when.kind === 'condition';
  let started = await startDue(
    deps,
    jobs.filter((job) => !isCondition(job)),
  );
  // The others are still due, and first in the next tick.
  for (const job of jobs.filter(isCondition).slice(0, CONDITIONS_MAX)) started += await checkCondition(deps, job);
  return { started, fault: unreadable ?? unclosed };
};
