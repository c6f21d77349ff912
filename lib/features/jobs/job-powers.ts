/** The powers over jobs that Act gives to tools: change one, start a run of one, read them. */
import { ProtocolError } from '../../core/base/errors.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import { jobSession } from '../../core/money/day-spend.ts';
import type { PerceiveMessage } from '../../core/signal/messages.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Publish } from '../../core/store/queue.ts';
import type { Table } from '../../core/store/table.ts';
import { changeJob, type JobChange, type JobChanger } from './change-job.ts';
import { type Job, type JobVersion, jobOrFail } from './job.ts';
import { runId } from './occurrence.ts';
import { type LiveJobs, listLiveJobs, loadJob } from './read-jobs.ts';
import { startRun, whyNot } from './start-run.ts';

export interface JobPowers {
  readonly change: (
    changer: Omit<JobChanger, 'space'>,
    name: string,
    make: (job: Job | undefined) => JobChange,
  ) => Promise<JobVersion>;
  readonly load: (name: string) => Promise<Job | undefined>;
  readonly list: () => Promise<LiveJobs>;
  /** Starts a run now, once for each signal that asks for it. @returns the signal of the run */
  readonly run: (name: string, askedBy: string) => Promise<string>;
}

type PowersTable = Pick<Table, 'load' | 'query' | 'transact'>;

const runNow = async (
  table: PowersTable,
  space: string,
  publish: Publish<PerceiveMessage>,
  name: string,
  askedBy: string,
): Promise<string> => {
  const job = jobOrFail(await loadJob(table, space, name), name);
  if (job.state === 'ended') throw new ProtocolError(`the job ${name} has ended; /jobs edit gives it a new rule`);
  const why = whyNot(job);
  if (why !== undefined) throw new ProtocolError(`${name} was not started: ${why}`);
  // A repeat of the same effect must make the same signal, so the moment is that of the question.
  const item = await loadItem(table, signalKeys.record(space, askedBy));
  if (item === undefined) throw new ProtocolError('the message that asked for it is gone');
  const at = parseRecord(askedBy, item).signal.receivedAt;
  const id = runId(name, at);
  await startRun(table, space, job, { signalId: id, kind: 'run', instant: at, state: 'fired' }, at);
  await publish(perceiveMessage({ space, session: jobSession(name), id }), 'perceive:0');
  return id;
};

export const buildJobPowers = (table: PowersTable, space: string, publish: Publish<PerceiveMessage>): JobPowers => ({
  change: (changer, name, make) => changeJob(table, { ...changer, space }, name, make),
  load: (name) => loadJob(table, space, name),
  list: () => listLiveJobs(table, space),
  run: (name, askedBy) => runNow(table, space, publish, name, askedBy),
});
