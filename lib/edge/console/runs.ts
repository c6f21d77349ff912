/**
 * Runs of runbooks, read only, and the schema of the files. Starting and stopping one is a command
 * like any other (`POST /api/messages` with `/runbook …`), so that the pipeline decides from who
 * sent it.
 */
import { defined } from '../../base/defined.ts';
import { describeRun, describeRunShortly } from '../../runbooks/describe-run.ts';
import type { Run } from '../../runbooks/run.ts';
import { buildRunbookSchema } from '../../runbooks/runbook-schema.ts';
import { listRunViews, loadRunView } from '../../stages/load-run-view.ts';
import { HttpError, type HttpResponse, respondJson } from '../function-url.ts';
import { type ConsoleDeps, checkQuery, type RouteCall } from './router.ts';

/** Runs of one answer, the newest first. */
const RUNS_PAGE_MAX = 50;

const zone = ({ settings }: ConsoleDeps): string => settings.zone ?? 'UTC';

const viewOf = ({ id, runbook, hash, state, why, n, startedAt, changedAt, endsAt, by }: Run) => ({
  ...{ id, runbook, hash, state, n, startedAt, changedAt, endsAt, by },
  ...defined({ why }),
});

/** GET /api/runs → {"runs"}, newest first, each with a line in words */
export const showRuns = async (deps: ConsoleDeps, { request: { query } }: RouteCall): Promise<HttpResponse> => {
  checkQuery(query, []);
  const views = await listRunViews(deps.table, deps.space, RUNS_PAGE_MAX);
  return respondJson(200, {
    runs: views.map((view) => ({ ...viewOf(view.run), line: describeRunShortly(view, zone(deps)) })),
  });
};

/** GET /api/runs/<id> → the run, with `lines` that say which step it is at and who is waited for */
export const showRun = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const view = await loadRunView(deps.table, deps.space, params[0] ?? '');
  if (view === undefined) throw new HttpError(404, 'not-found', 'there is no such run');
  const { inputs, ended } = view.run;
  return respondJson(200, { ...viewOf(view.run), inputs, steps: ended, lines: describeRun(view, zone(deps)) });
};

/** GET /runbook.schema.json → JSON Schema of a runbook's file, for editors */
export const showRunbookSchema = async (): Promise<HttpResponse> => respondJson(200, buildRunbookSchema());
