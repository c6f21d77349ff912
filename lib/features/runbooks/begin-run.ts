/**
 * Begins a run: its record and the text of its runbook are stored in one transaction, before any
 * step. A run that a person started has a first signal of its own; that of a job has the signal of
 * its occurrence. A repeat changes nothing.
 */
import { createHash } from 'node:crypto';
import { defined } from '../../core/base/defined.ts';
import { ConditionError } from '../../core/base/errors.ts';
import { SWEEP_BACKOFF_MS } from '../../core/base/limits.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import { LastHashes, packRun, parseRun, type Run } from '../../core/ledger/run.ts';
import { stepSuffix } from '../../core/signal/ids.ts';
import {
  type ActionResult,
  buildChild,
  type Payload,
  SIGNAL_SCHEMA_VERSION,
  type Signal,
} from '../../core/signal/signal.ts';
import { IS_NEW } from '../../core/store/condition.ts';
import { newDataWrite } from '../../core/store/data-version.ts';
import { indexPartitions, runKeys, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Table } from '../../core/store/table.ts';
import { RUN_LOOK_MS } from './advance.ts';
import type { Runbook } from './runbook.ts';

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A run as whoever starts it knows it. */
export interface NewRun
  extends Pick<
    Run,
    'id' | 'inputs' | 'origin' | 'session' | 'reply' | 'copies' | 'by' | 'askedBy' | 'eventId' | 'approved'
  > {
  readonly runbook: Runbook;
  readonly text: string;
  /** Of a job's steps: the job's history lists it, and not the list of runbooks' runs. */
  readonly isOfSteps?: boolean;
}

const buildRun = (
  space: string,
  { runbook, text, isOfSteps, ...given }: NewRun,
  hashesBefore: Run['hashes'],
  now: number,
): Run => ({
  schemaVersion: 1,
  ...given,
  runbook: runbook.name,
  hash: sha256Of(text),
  state: 'running',
  n: 0,
  ended: [],
  hashes: {},
  hashesBefore,
  startedAt: now,
  changedAt: now,
  endsAt: now + runbook.timeLimitMs,
  looks: 0,
  unfinishedSpace: indexPartitions.jobs(space),
  unfinishedAt: now + RUN_LOOK_MS,
  ...(isOfSteps === true ? {} : { feedSpace: indexPartitions.runFeed(space), feedAt: now }),
});

/** The signal of one step. `0` is the first signal of a run without a job. */
export const buildStepSignal = (
  space: string,
  run: Pick<Run, 'id' | 'session' | 'reply' | 'by'>,
  n: number,
  results: readonly ActionResult[],
  now: number,
): Signal => {
  const payload: Payload = { sensor: 'run-step', run: run.id, n, results: [...results] };
  const root: Signal = {
    schemaVersion: SIGNAL_SCHEMA_VERSION,
    id: run.id,
    type: 'EVENT',
    source: 'runbook',
    space,
    session: run.session,
    root: run.id,
    depth: 0,
    receivedAt: now,
    sender: { id: run.by, isApprover: false },
    reply: run.reply,
    payload,
  };
  return n === 0 ? root : buildChild(root, stepSuffix(n), payload, now);
};

/** Hashes of the outputs of the session's last run of it. */
const loadHashes = async (table: Pick<Table, 'load'>, space: string, run: NewRun): Promise<Run['hashes']> => {
  const item = await loadItem(table, runKeys.last(space, run.runbook.name, run.session));
  return item?.hashes === undefined ? {} : parseStored(item, LastHashes).hashes;
};

/** @returns the run as it stands: new, or begun by an earlier try */
export const beginRun = async (
  table: Pick<Table, 'load' | 'transact'>,
  space: string,
  given: NewRun,
  /** `isFirst`: the run has no signal yet, and its first one is stored with it. */
  { isFirst }: { readonly isFirst: boolean },
  now: number,
): Promise<Run> => {
  const run = buildRun(space, given, await loadHashes(table, space, given), now);
  const first = buildStepSignal(space, run, 0, [], now);
  const firstItem = buildRecordItem(first, 'received', now + SWEEP_BACKOFF_MS[0]);
  try {
    await table.transact([
      { kind: 'put', key: runKeys.record(space, run.id), item: packRun(run), condition: IS_NEW },
      { kind: 'put', key: runKeys.text(space, run.hash), item: { schemaVersion: 1, text: given.text } },
      ...(isFirst
        ? [
            { kind: 'put', key: signalKeys.record(space, run.id), item: firstItem, condition: IS_NEW } as const,
            newDataWrite(space),
          ]
        : []),
    ]);
    return run;
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const item = await loadItem(table, runKeys.record(space, run.id));
    if (item === undefined) throw error;
    return parseRun(item);
  }
};

/** The end of a run whose job could not even begin it, such as one with a changed runbook. */
export const failedRun = (
  space: string,
  given: Omit<NewRun, 'text' | 'runbook'> & { readonly runbook: string; readonly hash: string },
  why: string,
  now: number,
): Run => ({
  schemaVersion: 1,
  ...given,
  state: 'failed',
  why,
  n: 0,
  ended: [],
  hashes: {},
  hashesBefore: {},
  startedAt: now,
  changedAt: now,
  endsAt: now,
  looks: 0,
  ...defined({ feedSpace: indexPartitions.runFeed(space), feedAt: now }),
});
