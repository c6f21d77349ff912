/**
 * The console's HTTP API as a table: method, path, who may, what answers. Everything under /api/ needs a token before
 * anything else is said about it. Every failure becomes an answer here, and only here.
 */
import { PassepartoutError } from '../errors.ts';
import { HttpError, type HttpRequest, type HttpResponse, parseRequest, respondFailure } from '../http/function-url.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../pipeline/restore-state.ts';
import { namespaceOf } from './accept-input.ts';
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
  showGateSets,
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
import { loadRecord, redriveSignal } from './redrive.ts';
import { resolveEffect } from './resolve-effect.ts';
import { showSignal } from './show-signal.ts';
import { postResume, postStop } from './stop.ts';
import { listStopped } from './stopped-sessions.ts';
import { streamSignal } from './stream.ts';
import { type Caller, callerOf, describeNeed, hasScope, isAllowed, type Need, NOBODY } from './tokens.ts';

/** A request past its door: the caller is who the token belongs to, `params` what the path's pattern found. */
type RouteHandler = (deps: ConsoleDeps, call: RouteCall) => Promise<HttpResponse> | HttpResponse;

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly needs: Need;
  readonly answer: RouteHandler;
}

const path = (pattern: string): RegExp => new RegExp(`^${pattern}$`);

/** Every route there is. */
export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: path('/'),
    needs: 'nobody',
    answer: async () => (await import('./page/page.ts')).answerPage(),
  },
  { method: 'GET', path: path('/health'), needs: 'nobody', answer: answerHealth },
  { method: 'POST', path: path('/api/messages'), needs: 'speak', answer: postMessage },
  { method: 'GET', path: path('/api/signals'), needs: 'read', answer: listSignals },
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
  { method: 'GET', path: path('/api/evidence'), needs: 'read', answer: listEvidence },
  { method: 'GET', path: path(`/api/signals/(${SIGNAL_ID_PATTERN})/evidence`), needs: 'read', answer: showEvidence },
  { method: 'GET', path: path(`/api/signals/(${SIGNAL_ID_PATTERN})/stream`), needs: 'own', answer: streamSignal },
  { method: 'GET', path: path('/api/signals/(.+)'), needs: 'own', answer: showSignal },
  { method: 'GET', path: path('/api/approvals'), needs: 'read', answer: listApprovals },
  { method: 'POST', path: path('/api/approvals/([^/]+)'), needs: 'approver', answer: decideApproval },
  { method: 'GET', path: path('/api/grants'), needs: 'read', answer: listGrants },
  { method: 'POST', path: path('/api/grants'), needs: 'approver', answer: addGrant },
  { method: 'POST', path: path('/api/grants/([0-9a-f]{12})/revoke'), needs: 'approver', answer: revokeGrant },
  { method: 'GET', path: path('/api/budget'), needs: 'read', answer: showBudget },
  { method: 'GET', path: path('/api/cost'), needs: 'read', answer: showCost },
  { method: 'GET', path: path('/api/memory/ask'), needs: 'read', answer: askMemory },
  { method: 'GET', path: path('/api/memory/objects'), needs: 'read', answer: listObjects },
  { method: 'GET', path: path('/api/memory/seen/([0-9a-f]{32})'), needs: 'read', answer: listSeen },
  { method: 'POST', path: path('/api/memory/buffer'), needs: 'speak-as-owner', answer: postBuffer },
  { method: 'POST', path: path('/api/memory/import'), needs: 'speak-as-owner', answer: postImport },
  { method: 'POST', path: path('/api/memory/point'), needs: 'speak-as-owner', answer: postPoint },
  { method: 'GET', path: path('/api/policy'), needs: 'read', answer: showPolicy },
  { method: 'POST', path: path('/api/policy'), needs: 'approver', answer: postPolicy },
  { method: 'POST', path: path('/api/stop'), needs: 'speak-as-owner', answer: postStop },
  { method: 'POST', path: path('/api/resume'), needs: 'approver', answer: postResume },
  { method: 'GET', path: path('/api/stopped'), needs: 'read', answer: listStopped },
  { method: 'GET', path: path('/api/log'), needs: 'read', answer: showStanding },
  { method: 'POST', path: path('/api/log'), needs: 'read', answer: wakeLog },
  { method: 'GET', path: path('/api/log/checkpoint'), needs: 'read', answer: showCheckpoint },
  { method: 'GET', path: path('/api/log/checkpoints'), needs: 'read', answer: listCheckpoints },
  { method: 'GET', path: path('/api/log/key'), needs: 'read', answer: showKeys },
  { method: 'GET', path: path('/api/log/gate-sets'), needs: 'read', answer: showGateSets },
  { method: 'GET', path: path('/api/log/(tile/.+)'), needs: 'read', answer: showTile },
  { method: 'GET', path: path('/api/log/records'), needs: 'read', answer: listRecords },
  { method: 'GET', path: path('/api/log/records/(.+)'), needs: 'read', answer: showRecords },
  { method: 'GET', path: path('/api/log/commits'), needs: 'read', answer: listCommits },
  { method: 'POST', path: path('/api/pairing-codes'), needs: 'approver', answer: makePairingCode },
];

const authenticate = async (deps: ConsoleDeps, request: HttpRequest): Promise<Caller> => {
  const caller = callerOf(request.authorization, await deps.tokens(deps.now()));
  if (caller === undefined) throw new HttpError(401, 'unauthorized', 'a valid bearer token is needed');
  return caller;
};

/** Of an older copy of the table nothing is shown while it may hold what was forgotten since. */
const refuseForgotten = async (deps: ConsoleDeps): Promise<void> => {
  const state = await loadRestoreState(deps.table, deps.space);
  if (state !== undefined && isForgetting(state)) throw new HttpError(503, 'held', describeForgetting(state));
};

/** Of the signals of others there are none for whoever may not read. @throws HttpError 404 */
const requireOwn = async (deps: ConsoleDeps, caller: Caller, id: string): Promise<void> => {
  if (hasScope(caller, 'read')) return;
  const { signal } = await loadRecord(deps.table, deps.space, id);
  if (caller.kind !== 'script' || !signal.session.startsWith(namespaceOf(caller.name)))
    throw new HttpError(404, 'not-found', 'there is no such signal');
};

const routeRequest = async (deps: ConsoleDeps, request: HttpRequest): Promise<HttpResponse> => {
  const caller = request.path.startsWith('/api/') ? await authenticate(deps, request) : NOBODY;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const matching = ROUTES.filter((route) => route.path.test(request.path));
  if (matching.length === 0) throw new HttpError(404, 'not-found', 'there is nothing at this path');
  const route = matching.find((candidate) => candidate.method === method);
  if (route === undefined) throw new HttpError(405, 'method-not-allowed', 'this path does not take that method');
  if (!isAllowed(caller, route.needs)) {
    if (caller.kind === 'script') deps.noteScript('script-refused', caller.name, `${method} ${route.path.source}`);
    throw new HttpError(403, 'forbidden', describeNeed(route.needs));
  }
  if (method === 'GET' && request.path.startsWith('/api/')) await refuseForgotten(deps);
  const params = route.path.exec(request.path)?.slice(1) ?? [];
  if (route.needs === 'own') await requireOwn(deps, caller, params[0] ?? '');
  return route.answer(deps, { request, caller, params });
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
