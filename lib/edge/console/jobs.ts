/**
 * Jobs and their occurrences, read only. A change is a command like any other (`POST /api/messages`
 * with `/jobs …`), so that the pipeline decides from who sent it.
 */
import { defined } from '../../base/defined.ts';
import { ProtocolError } from '../../base/errors.ts';
import { MINUTE_MS } from '../../base/limits.ts';
import { describeOccurrence } from '../../jobs/describe-history.ts';
import { describeJob } from '../../jobs/describe-job.ts';
import { zoneOf } from '../../jobs/describe-rule.ts';
import type { Job } from '../../jobs/job.ts';
import { listJobs, loadHistory, loadJob, loadVersion } from '../../jobs/read-jobs.ts';
import { describeJobShortly } from '../../skills/describe-jobs.ts';
import { HttpError, type HttpResponse, respondJson } from '../function-url.ts';
import { type ConsoleDeps, checkQuery, type RouteCall } from './router.ts';
import type { JobView } from './views.ts';

const JOBS_PAGE_MAX = 100;
const HISTORY_PAGE_MAX = 100;
/** A job that is due for so long was not seen by any heartbeat: two in a row were lost. */
const BEHIND_AFTER_MS = 3 * MINUTE_MS;

const zone = ({ settings }: ConsoleDeps): string => settings.zone ?? 'UTC';

const buildJobView = async (deps: ConsoleDeps, job: Job): Promise<JobView> => {
  const { name, version, state, definition, running, failures, unfinishedAt: nextAt } = job;
  const last = state === 'paused' ? await loadVersion(deps.table, deps.space, name, version) : undefined;
  return {
    name,
    version,
    state,
    definition,
    running,
    failures,
    ...defined({ nextAt, pausedBecause: last?.why }),
    isBehind: nextAt !== undefined && nextAt < deps.now() - BEHIND_AFTER_MS,
    line: describeJobShortly(job, zone(deps)),
  };
};

const loadNamed = async (deps: ConsoleDeps, name = ''): Promise<Job> => {
  const job = await loadJob(deps.table, deps.space, name);
  if (job === undefined) throw new HttpError(404, 'not-found', 'there is no such job');
  return job;
};

/** GET /api/jobs?cursor= → {"jobs", "cursor"?}, by name; removed ones are left out. */
export const showJobs = async (deps: ConsoleDeps, { request: { query } }: RouteCall): Promise<HttpResponse> => {
  checkQuery(query, ['cursor']);
  const after = query.get('cursor') ?? undefined;
  const { jobs, cursor } = await listJobs(deps.table, deps.space, { limit: JOBS_PAGE_MAX, cursor: after });
  const live = jobs.filter(({ state }) => state !== 'removed');
  return respondJson(200, {
    jobs: await Promise.all(live.map((job) => buildJobView(deps, job))),
    ...defined({ cursor }),
  });
};

/** GET /api/jobs/<name> → the job, with all of it in words */
export const showJob = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const job = await loadNamed(deps, params[0]);
  const lines = describeJob(job.definition, { zone: zone(deps), now: deps.now() });
  return respondJson(200, { ...(await buildJobView(deps, job)), lines });
};

const readLimit = (query: URLSearchParams): number => {
  checkQuery(query, ['limit']);
  const limit = Number(query.get('limit') ?? HISTORY_PAGE_MAX);
  if (Number.isInteger(limit) && limit >= 1 && limit <= HISTORY_PAGE_MAX) return limit;
  throw new ProtocolError(`limit must be a number from 1 to ${HISTORY_PAGE_MAX}`);
};

/** GET /api/jobs/<name>/history?limit= → {"occurrences"}, newest first */
export const showJobHistory = async (deps: ConsoleDeps, { request, params }: RouteCall): Promise<HttpResponse> => {
  const { name, definition } = await loadNamed(deps, params[0]);
  const entries = await loadHistory(deps.table, deps.space, name, readLimit(request.query));
  const occurrences = entries.map((entry) => {
    const { instant, kind, state, why, lateMs, isShifted, at, closedAt, version } = entry.occurrence;
    const line = describeOccurrence(entry, zoneOf(definition.when, zone(deps)));
    return {
      signalId: entry.signalId,
      instant,
      kind,
      state,
      version,
      at,
      ...defined({ why, lateMs, isShifted, closedAt }),
      line,
    };
  });
  return respondJson(200, { occurrences });
};
