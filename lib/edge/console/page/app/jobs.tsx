/** Jobs: when each runs next, and what became of its last moments, also of those it missed. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ShownJob } from '../../../../wings/jobs/operations.ts';
import { Change } from './manage.tsx';
import { Badge, Card, clock, duration, now, Outside } from './parts.tsx';
import { to } from './route.ts';
import { attempt, get, query } from './server.ts';
import { isApprover, jobs, news } from './state.ts';

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
    // Another moment has passed, or something else happened.
    [name, nextAt, news.value],
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

const Job = ({ job }: { readonly job: ShownJob }) => {
  const { name, state, line } = job;
  return (
    <Card title={name} id={`job-${name}`}>
      <Outside text={line} />
      <Strip job={job} />
      {isApprover.value && (
        <div class="row">
          <Change label="Run now" path="/api/jobs/run" body={{ name }} />
          {state === 'paused' ? (
            <Change label="Resume" kind="primary" path="/api/jobs/resume" body={{ name }} />
          ) : (
            <Change label="Pause" path="/api/jobs/pause" body={{ name }} />
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
