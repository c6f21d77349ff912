/**
 * Starts the jobs that wait for an event. If there is one, its run takes the place of the event's
 * own turn: the owner has said what is to be done. The event's words stay untrusted in it.
 */

import { defined } from '../../base/defined.ts';
import { type Job, parseJob } from '../../jobs/job.ts';
import { eventRunId } from '../../jobs/occurrence.ts';
import { startRun, whyNot } from '../../jobs/start-run.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { jobSession } from '../../money/day-spend.ts';
import type { EventDeps } from '../../operations/hooks.ts';
import type { Signal, TextPiece } from '../../signal/signal.ts';
import { indexPartitions } from '../../store/keys.ts';
import { loadIndexed } from '../../store/load-named.ts';
import { readOrSkip } from '../../store/parse-stored.ts';
import { digestJob, gatherDigest, holdBack, hourlyOf } from './hold-back.ts';

/** Jobs that wait for events of one source. */
const EVENT_JOBS_MAX = 8;

/** @param event of any name if undefined */
const findJobs = async (
  { table }: EventDeps,
  space: string,
  source: string,
  event: string | undefined,
): Promise<readonly Job[]> => {
  const partition = indexPartitions.eventJobs(space, source);
  const { items } = await loadIndexed(table, { index: 'feed', partition, limit: EVENT_JOBS_MAX });
  return items
    .flatMap((item) => readOrSkip(item, parseJob) ?? [])
    .filter(({ state, definition: { when } }) => {
      const isOfSource = when.kind === 'event' && when.source === source;
      return (
        state === 'active' && isOfSource && (event === undefined || when.event === undefined || when.event === event)
      );
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
  await startRun(deps.table, space, job, one, deps.now());
  if (why === undefined)
    await deps.publishPerceive(perceiveMessage({ space, session: jobSession(job.name), id: signalId }), 'perceive:0');
};

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
  for (const job of jobs) {
    const most = hourlyOf(job);
    const isHeld = most !== undefined && (await holdBack(deps, signal, job.name, most));
    const why = isHeld ? `more than ${most} came in this hour: they are told together after it` : whyNot(job);
    await start(deps, signal, job, { id, text: payload.text, why });
  }
  return jobs.map(({ name }) => name);
};
