/**
 * Starts the jobs that wait for an event. If there is one, its run takes the place of the event's
 * own turn: the owner has said what is to be done. The event's words stay untrusted in it.
 */

import { defined } from '../../core/base/defined.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import type { EventDeps } from '../../core/operations/hooks.ts';
import type { Signal, TextPiece } from '../../core/signal/signal.ts';
import { indexPartitions } from '../../core/store/keys.ts';
import { loadIndexed } from '../../core/store/load-named.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import { isNamedEvent } from '../../core/text/event-word.ts';
import { digestJob, gatherDigest } from './held-before.ts';
import { type Job, parseJob } from './job.ts';
import { eventRunId } from './occurrence.ts';
import { startRun, whyNot } from './start-run.ts';

/** Jobs that wait for events of one source. */
const EVENT_JOBS_MAX = 8;

/** @param event of any name if undefined */
const findJobs = async (
  { table }: EventDeps,
  space: string,
  source: string,
  event: string | undefined,
): Promise<readonly Job[]> => {
  // A job has its source in lower case; a service may be called otherwise.
  const lower = source.toLowerCase();
  const partition = indexPartitions.eventJobs(space, lower);
  const { items } = await loadIndexed(table, { index: 'feed', partition, limit: EVENT_JOBS_MAX });
  return items
    .flatMap((item) => readOrSkip(item, parseJob) ?? [])
    .filter(({ state, definition: { when } }) => {
      const isOfSource = when.kind === 'event' && when.source === lower;
      return state === 'active' && isOfSource && (event === undefined || isNamedEvent(when.event, event));
    });
};

/** Starts one job. A repeat publishes again: the run finds the state it was left in. */
const start = async (
  deps: EventDeps,
  { space, receivedAt }: Signal,
  job: Job,
  { id, text, why }: { readonly id: string; readonly text: readonly TextPiece[]; readonly why?: string | undefined },
): Promise<void> => {
  const signalId = eventRunId(job.name, receivedAt, id);
  const one = {
    signalId,
    kind: 'event',
    instant: receivedAt,
    state: why === undefined ? 'fired' : 'skipped',
    eventId: id,
    event: text,
    ...defined({ why }),
  } as const;
  // The clock of the function that took the event may be ahead: nothing begins before its moment.
  await startRun(deps.table, space, job, one, Math.max(deps.now(), receivedAt));
  if (why === undefined)
    await deps.publishPerceive(perceiveMessage({ space, session: jobSession(job.name), id: signalId }), 'perceive:0');
};

interface Wanting {
  readonly job: Job;
  /** Why the event does not start it all the same. */
  readonly why?: string | undefined;
}

/** Jobs whose condition holds for the event, and those whose condition cannot be evaluated. */
const keepWanting = async (signal: Signal, jobs: readonly Job[]): Promise<readonly Wanting[]> => {
  const wanting: Wanting[] = [];
  for (const job of jobs) {
    const { when } = job.definition;
    const holds = when.kind === 'event' ? when.holds : undefined;
    const outcome = holds === undefined ? undefined : await (await loadChecking()).checkEvent(holds, signal);
    if (outcome?.kind === 'problem') wanting.push({ job, why: `its condition ${outcome.problem}` });
    else if (outcome?.value !== false) wanting.push({ job });
  }
  return wanting;
};

/** Few jobs have a condition, and the sandbox takes a while to load. */
const loadChecking = () => import('./event-condition.ts');

/** @returns the names of the jobs that run for it; none if the event is for the model as usual */
export const handToJobs = async (deps: EventDeps, signal: Signal): Promise<readonly string[]> => {
  const { payload, space, id } = signal;
  if (payload.sensor !== 'webhook') return [];
  const named = digestJob(signal);
  const jobs = await findJobs(deps, space, payload.source, named === undefined ? payload.event : undefined);
  if (named !== undefined) {
    const job = jobs.find(({ name }) => name === named);
    const digest = job && (await gatherDigest(deps, signal, Number(payload.body.most)));
    if (job !== undefined && digest !== undefined) await start(deps, signal, job, digest);
    return [named];
  }
  const wanting = await keepWanting(signal, jobs);
  for (const { job, why: problem } of wanting) {
    await start(deps, signal, job, { id, text: payload.text, why: problem ?? whyNot(job) });
  }
  return wanting.map(({ job }) => job.name);
};
