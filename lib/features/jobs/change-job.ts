/**
 * Changes a job: a new version, stored with the job and with the signal that made it, in one
 * transaction. Moments that were due and had not started yet get their occurrence there, as
 * skipped. A repeat of the same effect changes nothing. Act alone changes jobs for people (I14);
 * the heartbeat pauses one that keeps failing.
 */
import { defined } from '../../core/base/defined.ts';
import { ContendedError, RetryLaterError } from '../../core/base/errors.ts';
import { RETRY_BACKOFF_MS } from '../../core/base/limits.ts';
import { allOf, type Condition, equals, IS_NEW, type ItemChange } from '../../core/store/condition.ts';
import { newDataWrite } from '../../core/store/data-version.ts';
import { indexPartitions, jobKeys } from '../../core/store/keys.ts';
import type { Item, Table, Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { definitionHash, type Job, type JobDefinition, type JobState, type JobVersion } from './job.ts';
import { occurrenceId } from './occurrence.ts';
import { nextStart, OCCURRENCES_PER_WRITE_MAX } from './plan-due.ts';
import { loadJob, loadVersion } from './read-jobs.ts';
import { momentsBetween, passedMoment } from './rule.ts';
import { beginOccurrence, type NewOccurrence } from './write-occurrence.ts';

/** Tries of a change that meets other changes. */
const JOB_CHANGE_TRIES_MAX = 5;

/** The person who changes a job, the effect, and the time (epoch milliseconds). */
export interface JobChanger {
  readonly space: string;
  readonly signalId: string;
  readonly effectId: string;
  readonly by: string;
  readonly now: number;
}

export interface JobChange {
  readonly definition: JobDefinition;
  readonly state: JobState;
  /** Plain words, such as `edited`. */
  readonly why: string;
  /** The rules under which a person approved the whole of it on its card. */
  readonly approvedUnder?: string | undefined;
}

export const isAsRead = ({ version, accountedTo, running }: Job): Condition => ({
  name: 'the job is as it was read',
  holds: allOf(equals('version', version), equals('accountedTo', accountedTo), equals('running', running)),
});

/** Due time in the index, or its removal. */
export const dueChange = (space: string, state: JobState, nextDueAt: number | undefined): ItemChange =>
  state === 'active' && nextDueAt !== undefined
    ? { set: { unfinishedSpace: indexPartitions.jobs(space), unfinishedAt: nextDueAt } }
    : { remove: ['unfinishedSpace', 'unfinishedAt'] };

/** A job that is only paused or resumed keeps the yes to the whole. */
const approvedOf = (
  { by }: JobChanger,
  before: Job | undefined,
  version: number,
  { definition, approvedUnder: policyVersion }: JobChange,
): JobVersion['approved'] => {
  if (policyVersion !== undefined) return { by, policyVersion, version };
  const isSame = before !== undefined && definitionHash(before.definition) === definitionHash(definition);
  return isSame ? before.approved : undefined;
};

const buildVersion = (changer: JobChanger, before: Job | undefined, change: JobChange): JobVersion => {
  const { definition, state, why } = change;
  const n = (before?.version ?? 0) + 1;
  return {
    schemaVersion: 1,
    name: definition.name,
    n,
    state,
    definition,
    hash: definitionHash(definition),
    ...defined({ approved: approvedOf(changer, before, n, change) }),
    from: changer.now,
    by: changer.by,
    why,
    signalId: changer.signalId,
    effectId: changer.effectId,
  };
};

const stored = ({ definition, ...rest }: JobVersion | Job): Item => ({
  ...rest,
  definition: JSON.stringify(definition),
});

/** Puts a version with its job and with its signal. */
const versionWrites = (space: string, version: JobVersion): readonly Write[] => [
  { kind: 'put', key: jobKeys.version(space, version.name, version.n), item: stored(version), condition: IS_NEW },
  {
    kind: 'put',
    key: jobKeys.change(space, version.signalId, version.name, version.n),
    item: stored(version),
    condition: IS_NEW,
  },
];

/** An active job that waits for events is found by their source. */
const eventIndex = (space: string, { state, definition: { when } }: JobVersion): Pick<Job, 'feedSpace' | 'feedAt'> =>
  state === 'active' && when.kind === 'event'
    ? { feedSpace: indexPartitions.eventJobs(space, when.source), feedAt: 0 }
    : {};

const jobWrite = (changer: JobChanger, before: Job | undefined, version: JobVersion, ended: number): Write => {
  const { space, now } = changer;
  const { name, n, state, definition, approved } = version;
  const due = dueChange(space, state, nextStart(definition, now));
  const job: Job = {
    schemaVersion: 1,
    name,
    version: n,
    state,
    definition,
    accountedTo: now,
    running: (before?.running ?? 0) - ended,
    failures: 0,
    ...defined({ ...due.set, approved }),
    ...eventIndex(space, version),
  };
  const condition = before === undefined ? IS_NEW : isAsRead(before);
  return { kind: 'put', key: jobKeys.record(space, name), item: stored(job), condition };
};

/** Moments of the version before that have not started yet. */
const skipRest = ({ space, now }: JobChanger, before: Job | undefined): readonly Write[] => {
  if (before?.state !== 'active' || before.definition.when.kind === 'condition') return [];
  const moments = momentsBetween(before.definition.when, before.accountedTo, now, OCCURRENCES_PER_WRITE_MAX + 1);
  if (moments.length > OCCURRENCES_PER_WRITE_MAX)
    throw new RetryLaterError('this job still catches up with moments it missed', RETRY_BACKOFF_MS[2]);
  return moments.flatMap(({ at: instant, isShifted }, n) => {
    const one: NewOccurrence = {
      signalId: occurrenceId(before.name, instant),
      kind: 'rule',
      instant,
      after: moments[n - 1]?.at ?? before.accountedTo,
      state: 'skipped',
      why: 'the job was changed before it started',
      ...(isShifted ? { isShifted: true as const } : {}),
    };
    return beginOccurrence(space, before, one, now);
  });
};

/** @throws RetryLaterError if too many moments of the version before are not accounted for */
export const changeWrites = (
  changer: JobChanger,
  before: Job | undefined,
  change: JobChange,
  ended = 0,
): { readonly version: JobVersion; readonly writes: readonly Write[] } => {
  // A single moment that passed while its card waited is of a new job all the same.
  const isNew = before === undefined || before.state === 'ended' || before.state === 'removed';
  const passed = isNew ? passedMoment(change.definition.when, changer.now) : undefined;
  const from = passed === undefined ? changer.now : passed.at - 1;
  // The clock of the heartbeat may be ahead: no moment belongs to two versions.
  const at = { ...changer, now: Math.max(from, before?.accountedTo ?? 0) };
  const version = buildVersion(at, before, change);
  const first = before === undefined ? [newDataWrite(at.space)] : [];
  const moved = [jobWrite(at, before, version, ended), ...versionWrites(at.space, version)];
  return { version, writes: [...moved, ...first, ...skipRest(at, before)] };
};

/** @throws what `make` throws; ContendedError if others keep changing the job */
export const changeJob = async (
  table: Pick<Table, 'load' | 'transact'>,
  changer: JobChanger,
  name: string,
  make: (job: Job | undefined) => JobChange,
): Promise<JobVersion> => {
  const { space, effectId } = changer;
  for (let tries = 0; tries < JOB_CHANGE_TRIES_MAX; tries += 1) {
    const before = await loadJob(table, space, name);
    const last = before === undefined ? undefined : await loadVersion(table, space, name, before.version);
    if (last?.effectId === effectId) return last;
    const { version, writes } = changeWrites(changer, before, make(before));
    if (await wasWritten(table.transact(writes))) return version;
  }
  throw new ContendedError(`the job ${name}`, JOB_CHANGE_TRIES_MAX);
};
