/**
 * Closes occurrences: looks whether the turn of a run has ended, and writes what became of it. A
 * job that failed too often in a row is paused in the same transaction. The stage that ends the
 * turn closes it at once; the heartbeat closes what is left, and tells people. It looks again later
 * at a run that waits for a person.
 */

import { showMoment } from '../../core/base/clock.ts';
import { defined } from '../../core/base/defined.ts';
import { RetryLaterError } from '../../core/base/errors.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import type { Notice } from '../../core/judge/notices.ts';
import { isStoppedFor, killSwitchKey, readKillSwitch } from '../../core/ledger/kill-switch.ts';
import { parseEffect } from '../../core/ledger/ledger.ts';
import { parseRun } from '../../core/ledger/run.ts';
import type { JudgedAction } from '../../core/signal/decision.ts';
import { type TellDeps, tellOfRun } from '../../core/stages/upkeep/tell-of-run.ts';
import { absent, allOf, equals, present } from '../../core/store/condition.ts';
import { latestDataWrite } from '../../core/store/data-version.ts';
import { indexPartitions, jobKeys, runKeys, signalIdOf, signalKeys } from '../../core/store/keys.ts';
import { loadItem, loadNamed } from '../../core/store/load-named.ts';
import type { Item, Table, Write } from '../../core/store/table.ts';
import { updateIf, wasWritten } from '../../core/store/update-if.ts';
import { changeWrites, type JobChanger } from './change-job.ts';
import { loadEndedSignals } from './ended-signals.ts';
import { type Job, type JobDefinition, type JobVersion, parseJob } from './job.ts';
import { type DoneAction, type EndedTurn, type JobOutcome, judgeRun, judgeRunbook } from './judge-run.ts';
import { jobNotices } from './notice-texts.ts';
import { type Occurrence, parseOccurrence } from './occurrence.ts';
import { loadVersion } from './read-jobs.ts';
import { zoneOf } from './rule.ts';

/** The waits between two looks double up to this: a person may take an hour to decide. */
const LOOK_MS_MAX = 16 * MINUTE_MS;

export interface CloseDeps {
  readonly table: Table;
  readonly space: string;
  readonly now: number;
}

const effectsOf = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
  actions: readonly JudgedAction[],
): Promise<readonly DoneAction[]> => {
  const keys = actions.map((_, n) => signalKeys.effect(space, id, n));
  const items = await table.load(keys, { isConsistent: true });
  return actions.flatMap(({ action, outcome, trace }, n): readonly DoneAction[] => {
    if (action.author === 'code') return [];
    const item = items[n];
    const effect = item === undefined ? undefined : parseEffect(id, item);
    const blocked = outcome === 'block' ? trace.at(-1)?.reason : undefined;
    return [{ action, state: effect?.state, reason: effect?.reason ?? blocked }];
  });
};

/** @returns undefined while a signal of the turn is under way or waits for a person */
const loadEndedTurn = async (table: Table, space: string, root: string): Promise<EndedTurn | undefined> => {
  const ended = await loadEndedSignals(table, space, root);
  if (ended === undefined) return undefined;
  const actions: DoneAction[] = [];
  for (const { id, decision } of ended)
    if (decision !== undefined) actions.push(...(await effectsOf(table, space, id, decision.actions)));
  return {
    states: ended.map(({ record }) => record.state),
    actions,
    stateReason: ended.find(({ record }) => record.stateReason !== undefined)?.record.stateReason,
  };
};

/** @returns undefined while it goes on. The run of a runbook has a record of its own. */
const loadOutcome = async (
  table: Table,
  space: string,
  signalId: string,
  definition: JobDefinition,
): Promise<JobOutcome | undefined> => {
  const isPrompt = definition.work.kind === 'prompt';
  const item = isPrompt ? undefined : await loadItem(table, runKeys.record(space, signalId));
  if (item !== undefined) return judgeRunbook(definition, parseRun(item));
  const turn = await loadEndedTurn(table, space, signalId);
  return turn && judgeRun(definition, turn);
};

const lookLater = ({ table, space, now }: CloseDeps, signalId: string, { looks }: Occurrence): Promise<boolean> => {
  const waitMs = Math.min(LOOK_MS_MAX, MINUTE_MS * 2 ** Math.min(looks, 10));
  const isOpen = { name: 'the occurrence is open', holds: absent('closedAt') };
  const change = { set: { unfinishedAt: now + waitMs }, add: { looks: 1 } };
  return updateIf(table, jobKeys.occurrence(space, signalId), change, isOpen);
};

/** The log's writer looks at the signal again. Its turn has ended, so it is in no other index. */
const logWrite = ({ space, now }: CloseDeps, signalId: string): Write => ({
  kind: 'update',
  key: signalKeys.record(space, signalId),
  change: {
    set: { awaitsLog: true, unfinishedSpace: indexPartitions.unfinishedSignals(space), unfinishedAt: now },
    add: { ends: 1 },
  },
  condition: { name: 'the signal exists', holds: present('pk') },
});

/** An outcome that somebody is told of stays in the index until the text is stored. */
const closeWrite = (
  { space, now }: CloseDeps,
  signalId: string,
  { state, why }: JobOutcome,
  isTold: boolean,
): Write => ({
  kind: 'update',
  key: jobKeys.occurrence(space, signalId),
  change: {
    set: { closedAt: now, ...defined({ state, why }), ...(isTold ? { unfinishedAt: now } : {}) },
    ...(isTold ? {} : { remove: ['unfinishedSpace', 'unfinishedAt'] }),
  },
  condition: { name: 'the occurrence is open', holds: absent('closedAt') },
});

/** A job that still catches up with many moments goes on, and the next failure pauses it. */
const pauseWrites = (changer: JobChanger, job: Job, why: string): readonly Write[] | undefined => {
  try {
    return changeWrites(changer, job, { definition: job.definition, state: 'paused', why }, 1).writes;
  } catch (error) {
    if (error instanceof RetryLaterError) return undefined;
    throw error;
  }
};

/** In a row. A run that a person stopped, alone or with all, neither failed nor went well. */
const countFailures = ({ failures }: Job, { state }: JobOutcome, isAllStopped: boolean): number => {
  if (state === 'stopped' || isAllStopped) return failures;
  return state === undefined ? 0 : failures + 1;
};

/** Counts the run as ended; the job is paused if it was one failure too many. */
const jobWrites = (
  { space, now }: CloseDeps,
  job: Job,
  signalId: string,
  failures: number,
): { readonly writes: readonly Write[]; readonly isPaused: boolean } => {
  const { definition, name, running, version, state } = job;
  const isOneMore = failures > job.failures;
  if (state === 'active' && isOneMore && definition.pauseAfter > 0 && failures >= definition.pauseAfter) {
    const changer = { space, signalId, effectId: `${space}/${signalId}`, by: 'system', now };
    const writes = pauseWrites(changer, job, `paused after ${failures} failures in a row`);
    if (writes !== undefined) return { isPaused: true, writes };
  }
  const condition = {
    name: 'the job is as it was read',
    holds: allOf(equals('running', running), equals('version', version), equals('failures', job.failures)),
  };
  const change = { set: { failures }, add: { running: -1 } };
  return { isPaused: false, writes: [{ kind: 'update', key: jobKeys.record(space, name), change, condition }] };
};

/** @returns the occurrence as it is closed if somebody is to be told; whether it goes on */
const close = async (
  deps: CloseDeps,
  signalId: string,
  occurrence: Occurrence,
): Promise<Occurrence | 'open' | undefined> => {
  const { table, space, now } = deps;
  const items = await loadNamed(table, {
    job: jobKeys.record(space, occurrence.job),
    killSwitch: killSwitchKey(space),
  });
  const job = items.job && parseJob(items.job);
  const version = await loadVersion(table, space, occurrence.job, occurrence.version);
  const found = version && (await loadOutcome(table, space, signalId, version.definition));
  if (found === undefined || job === undefined) return 'open';
  // Everything was stopped while it was under way.
  const isAllStopped = found.state === 'failed' && isStoppedFor(readKillSwitch(items.killSwitch), occurrence.at);
  const outcome = isAllStopped ? { ...found, why: `everything was stopped: ${found.why ?? ''}` } : found;
  const failures = countFailures(job, outcome, isAllStopped);
  const { writes, isPaused } = jobWrites(deps, job, signalId, failures);
  const isTold = isPaused || outcome.state === 'did-nothing';
  // The next tick looks again: another one closed it, or the job was changed meanwhile.
  if (
    !(await wasWritten(
      table.transact([
        closeWrite(deps, signalId, outcome, isTold),
        logWrite(deps, signalId),
        ...writes,
        ...(outcome.state === 'stopped' ? [latestDataWrite(space)] : []),
      ]),
    ))
  )
    return undefined;
  return isTold ? { ...occurrence, ...outcome, closedAt: now } : undefined;
};

const noticesOf = (occurrence: Occurrence, version: JobVersion, paused: JobVersion | undefined): readonly Notice[] => {
  const { job, instant, state, why = '' } = occurrence;
  const moment = showMoment(instant, zoneOf(version.definition.when));
  return [
    ...(state === 'did-nothing' ? [jobNotices.jobDidNothing(job, moment, why)] : []),
    ...(paused === undefined ? [] : [jobNotices.jobPaused(job, paused.why, why)]),
  ];
};

/** Tells whoever reads the job's results, once, and takes the occurrence out of the index. */
const tell = async (deps: TellDeps, signalId: string, occurrence: Occurrence): Promise<void> => {
  const { table, space } = deps;
  const name = occurrence.job;
  const version = await loadVersion(table, space, name, occurrence.version);
  const next = await loadVersion(table, space, name, occurrence.version + 1);
  const paused = next?.state === 'paused' && next.signalId === signalId ? next : undefined;
  if (version !== undefined) await tellOfRun(deps, signalId, noticesOf(occurrence, version, paused));
  const remove = { remove: ['unfinishedSpace', 'unfinishedAt'] };
  await table.update(jobKeys.occurrence(space, signalId), remove, { name: 'it is there', holds: present('pk') });
};

/** @param item of the index of jobs, an occurrence that runs or whose end nobody was told yet */
export const closeRun = async (deps: TellDeps, item: Item): Promise<void> => {
  const signalId = signalIdOf(item.pk, deps.space);
  const occurrence = parseOccurrence(item);
  const closed = occurrence.closedAt === undefined ? await close(deps, signalId, occurrence) : occurrence;
  if (closed === 'open') await lookLater(deps, signalId, occurrence);
  else if (closed !== undefined) await tell(deps, signalId, closed);
};

/** Closes a job's occurrence with the last signal of its turn. Else the heartbeat does. */
export const closeEnded = async (deps: CloseDeps, root: string): Promise<void> => {
  const item = await loadItem(deps.table, jobKeys.occurrence(deps.space, root));
  const occurrence = item === undefined ? undefined : parseOccurrence(item);
  if (occurrence !== undefined && occurrence.closedAt === undefined) await close(deps, root, occurrence);
};
