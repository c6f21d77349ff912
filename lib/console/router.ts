/**
 * The console's HTTP API as a table: method, path, who may, what answers. Everything under /api/ needs a token before
 * anything else is said about it. Every failure becomes an answer here, and only here.
 */
import { PassepartoutError } from '../errors.ts';
import { HttpError, type HttpRequest, type HttpResponse, parseRequest, respondFailure } from '../http/function-url.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../pipeline/restore-state.ts';
import { decideApproval, listApprovals } from './approvals.ts';
import { showBudget } from './budget.ts';
import { SIGNAL_ID_PATTERN } from './console-ids.ts';
import { showCost } from './cost.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { listEvidence, showEvidence } from './evidence.ts';
import { addGrant, listGrants, revokeGrant } from './grants.ts';
import { answerHealth } from './health.ts';
import { listSignals } from './list-signals.ts';
import {
  listCheckpoints,
  listCommits,
  listRecords,
  showCheckpoint,
  showKeys,
  showRecords,
  showStanding,
  showTile,
  wakeLog,
} from './log.ts';
import { askMemory, listObjects, listSeen, postBuffer, postImport, postPoint } from './memory.ts';
import { makePairingCode } from './pairing-code.ts';
import { postPolicy, showPolicy } from './policy.ts';
import { postMessage } from './post-message.ts';
import { redriveSignal } from './redrive.ts';
import { resolveEffect } from './resolve-effect.ts';
import { showSignal } from './show-signal.ts';
import { postResume, postStop } from './stop.ts';
import { listStopped } from './stopped-sessions.ts';
import { streamSignal } from './stream.ts';
import { type Role, roleOf } from './tokens.ts';

/** A request past its door: the role is the token's, `params` what the path's pattern found. */
type RouteHandler = (deps: ConsoleDeps, call: RouteCall) => Promise<HttpResponse> | HttpResponse;

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  /** The least role that may; `nobody` needs no token. */
  readonly needs: 'nobody' | Role;
  readonly answer: RouteHandler;
}

const path = (pattern: string): RegExp => new RegExp(`^${pattern}$`);

const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: path('/'),
    needs: 'nobody',
    answer: async () => (await import('./page/page.ts')).answerPage(),
  },
  { method: 'GET', path: path('/health'), needs: 'nobody', answer: answerHealth },
  { method: 'POST', path: path('/api/messages'), needs: 'console', answer: postMessage },
  { method: 'GET', path: path('/api/signals'), needs: 'console', answer: listSignals },
  {
    method: 'POST',
    path: path(`/api/signals/(${SIGNAL_ID_PATTERN})/redrive`),
    needs: 'approver',
    answer: redriveSignal,
  },
  {
    method: 'POST',
    path: path(`/api/signals/(${SIGNAL_ID_PATTERN})/effects/(\\d{1,3})`),
    needs: 'approver',
    answer: resolveEffect,
  },
  { method: 'GET', path: path('/api/evidence'), needs: 'console', answer: listEvidence },
  { method: 'GET', path: path(`/api/signals/(${SIGNAL_ID_PATTERN})/evidence`), needs: 'console', answer: showEvidence },
  { method: 'GET', path: path(`/api/signals/(${SIGNAL_ID_PATTERN})/stream`), needs: 'console', answer: streamSignal },
  { method: 'GET', path: path('/api/signals/(.+)'), needs: 'console', answer: showSignal },
  { method: 'GET', path: path('/api/approvals'), needs: 'console', answer: listApprovals },
  { method: 'POST', path: path('/api/approvals/([^/]+)'), needs: 'approver', answer: decideApproval },
  { method: 'GET', path: path('/api/grants'), needs: 'console', answer: listGrants },
  { method: 'POST', path: path('/api/grants'), needs: 'approver', answer: addGrant },
  { method: 'POST', path: path('/api/grants/([0-9a-f]{12})/revoke'), needs: 'approver', answer: revokeGrant },
  { method: 'GET', path: path('/api/budget'), needs: 'console', answer: showBudget },
  { method: 'GET', path: path('/api/cost'), needs: 'console', answer: showCost },
  { method: 'GET', path: path('/api/memory/ask'), needs: 'console', answer: askMemory },
  { method: 'GET', path: path('/api/memory/objects'), needs: 'console', answer: listObjects },
  { method: 'GET', path: path('/api/memory/seen/([0-9a-f]{32})'), needs: 'console', answer: listSeen },
  { method: 'POST', path: path('/api/memory/buffer'), needs: 'console', answer: postBuffer },
  { method: 'POST', path: path('/api/memory/import'), needs: 'console', answer: postImport },
  { method: 'POST', path: path('/api/memory/point'), needs: 'console', answer: postPoint },
  { method: 'GET', path: path('/api/policy'), needs: 'console', answer: showPolicy },
  { method: 'POST', path: path('/api/policy'), needs: 'approver', answer: postPolicy },
  { method: 'POST', path: path('/api/stop'), needs: 'console', answer: postStop },
  { method: 'POST', path: path('/api/resume'), needs: 'approver', answer: postResume },
  { method: 'GET', path: path('/api/stopped'), needs: 'console', answer: listStopped },
  { method: 'GET', path: path('/api/log'), needs: 'console', answer: showStanding },
  { method: 'POST', path: path('/api/log'), needs: 'console', answer: wakeLog },
  { method: 'GET', path: path('/api/log/checkpoint'), needs: 'console', answer: showCheckpoint },
  { method: 'GET', path: path('/api/log/checkpoints'), needs: 'console', answer: listCheckpoints },
  { method: 'GET', path: path('/api/log/key'), needs: 'console', answer: showKeys },
  { method: 'GET', path: path('/api/log/(tile/.+)'), needs: 'console', answer: showTile },
  { method: 'GET', path: path('/api/log/records'), needs: 'console', answer: listRecords },
  { method: 'GET', path: path('/api/log/records/(.+)'), needs: 'console', answer: showRecords },
  { method: 'GET', path: path('/api/log/commits'), needs: 'console', answer: listCommits },
  { method: 'POST', path: path('/api/pairing-codes'), needs: 'approver', answer: makePairingCode },
];

const authenticate = async (deps: ConsoleDeps, request: HttpRequest): Promise<Role> => {
  const role = roleOf(request.authorization, await deps.tokens(deps.now()));
  if (role === undefined) throw new HttpError(401, 'unauthorized', 'a valid bearer token is needed');
  return role;
};

/** Of an older copy of the table nothing is shown while it may hold what was forgotten since. */
const refuseForgotten = async (deps: ConsoleDeps): Promise<void> => {
  const state = await loadRestoreState(deps.table, deps.space);
  if (state !== undefined && isForgetting(state)) throw new HttpError(503, 'held', describeForgetting(state));
};

const routeRequest = async (deps: ConsoleDeps, request: HttpRequest): Promise<HttpResponse> => {
  const role = request.path.startsWith('/api/') ? await authenticate(deps, request) : 'console';
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matching = ROUTES.filter((route) => route.path.test(request.path));
  if (matching.length === 0) throw new HttpError(404, 'not-found', 'there is nothing at this path');
  const route = matching.find((candidate) => candidate.method === method);
  if (route === undefined) throw new HttpError(405, 'method-not-allowed', 'this path does not take that method');
  if (route.needs === 'approver' && role !== 'approver')
    throw new HttpError(403, 'forbidden', 'this needs the approver token');
  if (method === 'GET' && request.path.startsWith('/api/')) await refuseForgotten(deps);
  const params = route.path.exec(request.path)?.slice(1) ?? [];
  return route.answer(deps, { request, role, params });
};

/** Answers one function URL event. Never throws. */
export const answerConsole = async (deps: ConsoleDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const request = parseRequest(event);
    const response = await routeRequest(deps, request);
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  } catch (error) {
    if (!(error instanceof PassepartoutError)) deps.report(error);
    return respondFailure(error);
  }
};
