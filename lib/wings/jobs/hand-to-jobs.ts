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
import type { PerceiveMessage } from '../../signal/messages.ts';
import type { Signal } from '../../signal/signal.ts';
import { indexPartitions } from '../../store/keys.ts';
import { loadIndexed } from '../../store/load-named.ts';
import { readOrSkip } from '../../store/parse-stored.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';

/** Jobs that wait for events of one source. */
const EVENT_JOBS_MAX = 8;

interface HandDeps {
  readonly table: Pick<Table, 'load' | 'queryIndex' | 'transact'>;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly now: () => number;
}

const findJobs = async ({ table }: HandDeps, space: string, source: string, event: string): Promise<readonly Job[]> => {
  const partition = indexPartitions.eventJobs(space, source);
  const { items } = await loadIndexed(table, { index: 'feed', partition, limit: EVENT_JOBS_MAX });
  return items
    .flatMap((item) => readOrSkip(item, parseJob) ?? [])
    .filter(({ state, definition: { when } }) => {
      const isOfSource = when.kind === 'event' && when.source === source;
      return state === 'active' && isOfSource && (when.event === undefined || when.event === event);
    });
};

/** @returns the names of the jobs that run for it; none if the event is for the model as usual */
export const handToJobs = async (deps: HandDeps, signal: Signal): Promise<readonly string[]> => {
  const { payload, space, id, receivedAt } = signal;
  if (payload.sensor !== 'webhook') return [];
  const jobs = await findJobs(deps, space, payload.source, payload.event);
  for (const job of jobs) {
    const why = whyNot(job);
    const signalId = eventRunId(job.name, receivedAt, id);
    const one = {
      signalId,
      kind: 'event',
      instant: receivedAt,
      state: why === undefined ? 'fired' : 'skipped',
      eventId: id,
      event: payload.text,
      ...defined({ why }),
    } as const;
    await startRun(deps.table, space, job, one, deps.now());
    // A repeat publishes again: the run finds the state it was left in.
    if (why === undefined)
      await deps.publishPerceive(perceiveMessage({ space, session: jobSession(job.name), id: signalId }), 'perceive:0');
  }
  return jobs.map(({ name }) => name);
};
