/** Jobs: when each runs next, and what became of its last moments, also of those it missed. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { JobForm } from './forms.tsx';
import { clock, duration, phrase } from './language.ts';
import { Change } from './manage.tsx';
import { Badge, Card, now, Outside } from './parts.tsx';
import { to } from './route.ts';
import { attempt, get, query } from './server.ts';
import type { ShownJob } from './shown-job.ts';
import { isApprover, jobs, news } from './state.ts';

const MOMENTS_SHOWN = 12;

interface JobMoment {
  readonly signalId: string;
  /** When it was due, epoch milliseconds. */
  readonly instant: number;
  readonly state: string;
  readonly why?: string;
  readonly lateMs?: number;
}

/** The newest moments, the oldest of them first, then the next one, and why the last failed. */
const Strip = ({ job: { name, nextAt, isBehind } }: { readonly job: ShownJob }) => {
  const moments = useSignal<readonly JobMoment[] | undefined>(undefined);
  useEffect(
    () =>
      void attempt(async () => {
        const path = `/api/jobs/history${query({ name, count: String(MOMENTS_SHOWN) })}`;
        moments.value = (await get<{ occurrences: readonly JobMoment[] }>(path)).occurrences.toReversed();
      }),
    // Another moment has passed, or something else happened.
    [name, nextAt, news.value],
  );
  const why = moments.value?.at(-1)?.why;
  return (
    <>
      <ol class="strip" aria-label={phrase('moments')(name)}>
        {moments.value?.map(({ signalId, instant, state, lateMs }) => (
          <li key={`${signalId} ${instant}`}>
            <a href={to('decisions', signalId)}>
              <Badge state={state} />
              <span class="soft">
                {clock(instant)}
                {lateMs !== undefined && phrase('late')(duration(lateMs))}
              </span>
            </a>
          </li>
        ))}
        {moments.value?.length === 0 && <li class="soft">{phrase('notDue')}</li>}
        {nextAt !== undefined && (
          <li>
            <Badge state={isBehind ? 'overdue' : 'next'} />
            <span class="soft">
              {clock(nextAt)}
              {nextAt > now.value && phrase('in')(duration(nextAt - now.value))}
            </span>
          </li>
        )}
      </ol>
      {why !== undefined && <Outside kind="soft" text={why} lang="en" />}
    </>
  );
};

const Job = ({ job }: { readonly job: ShownJob }) => {
  const { name, state, line, work = line, pausedBecause } = job;
  return (
    <Card title={name} id={`job-${name}`} lang="">
      {pausedBecause !== undefined && <Outside text={pausedBecause} lang="en" />}
      <Outside text={work} lang="en" />
      <Strip job={job} />
      {isApprover.value && (
        <div class="row">
          <Change label={phrase('runNow')} path="/api/jobs/run" body={{ name }} />
          {state === 'paused' ? (
            <Change label={phrase('resume')} kind="primary" path="/api/jobs/resume" body={{ name }} />
          ) : (
            <Change label={phrase('pause')} path="/api/jobs/pause" body={{ name }} />
          )}
        </div>
      )}
    </Card>
  );
};

export const JobsPage = () => {
  const [builtIn = [], own = []] = [true, false].map((is) =>
    jobs.value.filter(({ isBuiltIn }) => (isBuiltIn === true) === is),
  );
  return (
    <>
      {own.length === 0 && (
        <p class="empty">
          {phrase('noJob')} <a href={to('talk')}>{phrase('talk')}</a>
        </p>
      )}
      {own.map((job) => (
        <Job key={job.name} job={job} />
      ))}
      {isApprover.value && (
        <Card title={phrase('ownJobs')} id="make-job">
          <JobForm />
        </Card>
      )}
      {builtIn.length > 0 && (
        <details class="card" id="built-in">
          <summary>{phrase('builtInJobs')(builtIn.length)}</summary>
          {builtIn.map((job) => (
            <Job key={job.name} job={job} />
          ))}
        </details>
      )}
      <p>
        <a href={to('manage', 'jobs')}>{phrase('editJobs')}</a>
      </p>
    </>
  );
};
