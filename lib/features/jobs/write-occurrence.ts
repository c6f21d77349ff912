/**
 * The writes that begin an occurrence: the record of its signal, and the occurrence beside it. One
 * that does not run is a dropped signal without words, which the log's writer takes in. Pure.
 */
import { defined } from '../../core/base/defined.ts';
import { MINUTE_MS, SWEEP_BACKOFF_MS } from '../../core/base/limits.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import { isSamePlace } from '../../core/signal/action.ts';
import type { Destination } from '../../core/signal/destination.ts';
import { hasRun } from '../../core/signal/job-run.ts';
import { type ReplyRoute, SIGNAL_SCHEMA_VERSION, type Signal, type TextPiece } from '../../core/signal/signal.ts';
import { IS_NEW } from '../../core/store/condition.ts';
import { indexPartitions, jobKeys, signalKeys } from '../../core/store/keys.ts';
import type { Item, Write } from '../../core/store/table.ts';
import type { Job, JobDefinition } from './job.ts';
import type { Occurrence } from './occurrence.ts';

/** The heartbeat first looks after a minute whether a run has ended. */
const FIRST_LOOK_MS = MINUTE_MS;

/** The parts of a run: its job, and the occurrence that was planned. */
export interface NewOccurrence
  extends Pick<Occurrence, 'kind' | 'instant' | 'after' | 'state' | 'why' | 'lateMs' | 'isShifted' | 'eventId'> {
  readonly signalId: string;
  /** Words of the event that it runs for. */
  readonly event?: readonly TextPiece[];
}

/** A conversation that can be answered: the job's first chat, or nobody. */
export const replyRouteOf = ({ to }: Pick<JobDefinition, 'to'>): ReplyRoute => {
  for (const one of to) if (one.target !== 'webhook') return one;
  return { target: 'system', to: '' };
};

/** Destinations beside the one that is answered. */
export const copiesOf = (definition: Pick<JobDefinition, 'to'>): readonly Destination[] => {
  const reply = replyRouteOf(definition);
  return definition.to.filter((one) => !isSamePlace(one, reply));
};

/** A job of steps is given no words, and no model is asked. */
const textOf = ({ work }: JobDefinition, { event = [] }: NewOccurrence): TextPiece[] =>
  work.kind === 'prompt' ? [{ text: work.text, origin: 'owner' }, ...event] : [];

const buildRunSignal = (space: string, job: Job, one: NewOccurrence, now: number): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id: one.signalId,
  type: 'EVENT',
  source: 'job',
  space,
  session: jobSession(job.name),
  root: one.signalId,
  depth: 0,
  receivedAt: now,
  sender: { id: `job:${job.name}`, isApprover: false },
  reply: replyRouteOf(job.definition),
  payload: {
    sensor: 'job-due',
    job: job.name,
    slot: one.instant,
    text: hasRun(one.state) ? textOf(job.definition, one) : [],
  },
});

const buildOccurrenceItem = (space: string, job: Job, one: NewOccurrence, now: number): Item => {
  const { signalId: _id, event: _event, ...planned } = one;
  const copies = copiesOf(job.definition);
  return {
    schemaVersion: 1,
    job: job.name,
    version: job.version,
    ...planned,
    at: now,
    looks: 0,
    feedSpace: indexPartitions.jobFeed(space, job.name),
    feedAt: planned.instant,
    ...(hasRun(one.state)
      ? {
          ...defined({ capUsd: job.definition.capUsd, copies: copies.length > 0 ? [...copies] : undefined }),
          unfinishedSpace: indexPartitions.jobs(space),
          unfinishedAt: now + FIRST_LOOK_MS,
        }
      : { closedAt: now }),
  } satisfies Occurrence & Item;
};

const buildRecord = (signal: Signal, { state, why }: NewOccurrence, now: number): Item => {
  const item = buildRecordItem(signal, hasRun(state) ? 'received' : 'dropped', now + SWEEP_BACKOFF_MS[0]);
  return hasRun(state) ? item : { ...item, stateReason: why ?? state, awaitsLog: true, ends: 1 };
};

/** Two writes; each holds only if it is the first for this moment. */
export const beginOccurrence = (space: string, job: Job, one: NewOccurrence, now: number): readonly Write[] => {
  const signal = buildRunSignal(space, job, one, now);
  return [
    {
      kind: 'put',
      key: signalKeys.record(space, one.signalId),
      item: buildRecord(signal, one, now),
      condition: IS_NEW,
    },
    {
      kind: 'put',
      key: jobKeys.occurrence(space, one.signalId),
      item: buildOccurrenceItem(space, job, one, now),
      condition: IS_NEW,
    },
  ];
};
