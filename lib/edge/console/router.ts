/**
 * The console's HTTP API: the page, the health answer, everything to read, and all that is posted.
 * What the control function answers is answered here as well, for scripts that know only the
 * console's address.
 */

import { SECOND_MS } from '../../base/limits.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import { HttpError, type HttpResponse } from '../function-url.ts';
import { namespaceOf } from './accept-input.ts';
import { listApprovals } from './approvals.ts';
import { showBudget } from './budget.ts';
import { SIGNAL_ID_PATTERN } from './console-ids.ts';
import { CONTROL_ROUTES } from './control.ts';
import { showCost } from './cost.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { listEvidence, showEvidence } from './evidence.ts';
import { addGrant, listGrants, revokeGrant } from './grants.ts';
import { answerHealth, answerStatus } from './health.ts';
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
import { answerRoutes, path, type Route } from './routes.ts';
import { shareFor } from './share-for.ts';
import { showSignal } from './show-signal.ts';
import { listStopped } from './stopped-sessions.ts';
import { streamSignal } from './stream.ts';
import { callerOf, hasScope } from './tokens.ts';

/** How long a health answer is given to everybody who shows no token. */
export const HEALTH_SHARED_MS = 2 * SECOND_MS;

/** Every route there is. */
export const ROUTES: readonly Route<ConsoleDeps>[] = [
  ...CONTROL_ROUTES,
  {
    method: 'GET',
    path: path('/'),
    needs: 'nobody',
    answer: async ({ settings }) => (await import('./page/page.ts')).answerPage(settings.controlOrigin),
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

/** Of an older copy of the table nothing is shown while it may hold what was forgotten since. */
const refuseForgotten = async (deps: ConsoleDeps): Promise<void> => {
  const state = await loadRestoreState(deps.table, deps.space);
  if (state !== undefined && isForgetting(state)) throw new HttpError(503, 'held', describeForgetting(state));
};

/** Of the signals of others there are none for whoever may not read. @throws HttpError 404 */
const requireOwn = async (deps: ConsoleDeps, { caller, params }: RouteCall): Promise<void> => {
  if (hasScope(caller, 'read')) return;
  const { signal } = await loadRecord(deps.table, deps.space, params[0] ?? '');
  if (caller.kind !== 'script' || !signal.session.startsWith(namespaceOf(caller.name)))
    throw new HttpError(404, 'not-found', 'there is no such signal');
};

const admit = async (deps: ConsoleDeps, { method, needs }: Route<ConsoleDeps>, call: RouteCall): Promise<void> => {
  if (method === 'GET') await refuseForgotten(deps);
  if (needs === 'own') await requireOwn(deps, call);
};

/**
 * Whoever shows a token gets a health answer of its own; all others share one, which is the status
 * alone.
 */
const shareHealth = (deps: ConsoleDeps): Route<ConsoleDeps>['answer'] => {
  const answerAll = shareFor(HEALTH_SHARED_MS, deps.now, () => answerStatus(deps));
  return async (_, { request: { authorization } }) => {
    const isKnown = authorization !== undefined && callerOf(authorization, await deps.tokens(deps.now())) !== undefined;
    return isKnown ? answerHealth(deps) : answerAll();
  };
};

/** Answers function URL events; never throws. */
export const buildConsole = (deps: ConsoleDeps): ((event: unknown) => Promise<HttpResponse>) => {
  const answer = shareHealth(deps);
  const routes = ROUTES.map((route) => (route.answer === answerHealth ? { ...route, answer } : route));
  return (event) => answerRoutes({ routes, deps, admit }, event);
};
