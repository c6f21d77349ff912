/** Jobs: when each runs next, and what became of its last moments, also of those it missed. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ShownJob } from '../../../../wings/jobs/operations.ts';
import { Badge, Button, Card, clock, duration, now, Outside } from './parts.tsx';
import { to } from './route.ts';
import { attempt, get, post, query } from './server.ts';
import { isApprover, jobs, lookAtChange } from './state.ts';

const MOMENTS_SHOWN = 12;

interface Moment {
  readonly signalId: string;
  /** When it was due, epoch milliseconds. */
  readonly instant: number;
  readonly state: string;
  readonly why?: string;
  readonly lateMs?: number;
}

/** The newest moments, the oldest of them first, and then the next one. */
const Strip = ({ job: { name, nextAt, isBehind } }: { readonly job: ShownJob }) => {
  const moments = useSignal<readonly Moment[] | undefined>(undefined);
  useEffect(
    () =>
      void attempt(async () => {
        const path = `/api/jobs/history${query({ name, count: String(MOMENTS_SHOWN) })}`;
        moments.value = (await get<{ occurrences: readonly Moment[] }>(path)).occurrences.toReversed();
      }),
    // Another moment has passed.
    [name, nextAt],
  );
  return (
    <ol class="strip" aria-label={`Moments of ${name}`}>
      {moments.value?.map(({ signalId, instant, state, why, lateMs }) => (
        <li key={`${signalId} ${instant}`}>
          <a href={to('decisions', signalId)} title={why}>
            <Badge word={state} />
            <span class="soft">
              {clock(instant)}
              {lateMs !== undefined && `, ${duration(lateMs)} late`}
            </span>
          </a>
        </li>
      ))}
      {moments.value?.length === 0 && <li class="soft">It has not been due yet.</li>}
      {nextAt !== undefined && (
        <li>
          <Badge word={isBehind ? 'overdue' : 'next'} />
          <span class="soft">
            {clock(nextAt)}
            {nextAt > now.value && `, in ${duration(nextAt - now.value)}`}
          </span>
        </li>
      )}
    </ol>
  );
};

const change = async (verb: string, name: string): Promise<void> => {
  await post(`/api/jobs/${verb}`, { name });
  lookAtChange();
};

const Job = ({ job }: { readonly job: ShownJob }) => {
  const { name, state, line } = job;
  return (
    <Card title={name} id={`job-${name}`}>
      <Outside text={line} />
      <Strip job={job} />
      {isApprover.value && (
        <div class="row">
          <Button label="Run now" onPress={() => change('run', name)} />
          {state === 'paused' ? (
            <Button label="Resume" kind="primary" onPress={() => change('resume', name)} />
          ) : (
            <Button label="Pause" onPress={() => change('pause', name)} />
          )}
        </div>
      )}
    </Card>
  );
};

export const JobsPage = () => (
  <>
    {jobs.value.length === 0 && (
      <p class="empty">
        There is no job. Say “every 5 minutes say drink water” in <a href={to('talk')}>Talk</a>.
      </p>
    )}
    {jobs.value.map((job) => (
      <Job key={job.name} job={job} />
    ))}
    <p>
      <a href={to('manage', 'jobs')}>Make, edit, try or remove a job</a>
    </p>
  </>
);
