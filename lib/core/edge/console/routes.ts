/**
 * Every route of the console: method, path, the token it needs, and the function that answers. The
 * control function answers its three alone too; they stand here for scripts that know only the
 * console's address.
 */

import { CONSOLE_ROUTES } from '../../../features/console.ts';
import { namespaceOf } from '../../channels/console/parse-message.ts';
import { HttpError, type HttpResponse, respondJson } from '../../http/function-url.ts';
import { makePairingCode } from '../../ledger/pairing-code.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import { CONTROL_ROUTES } from './control.ts';
import type * as Evidence from './evidence.ts';
import { answerHealth, buildSharedHealth } from './health.ts';
import { postMessage } from './messages.ts';
import { loadLazy, operationRoutes } from './operations.ts';
import {
  answerRoutes,
  type ConsoleDeps,
  noSuchSignal,
  type Route,
  type RouteCall,
  route,
  SIGNAL_ID_PATTERN,
} from './router.ts';
import { listStopped, loadRecord, showSignal } from './signals.ts';
import { hasScope } from './tokens.ts';

const SIGNAL = `/api/signals/(${SIGNAL_ID_PATTERN})`;

/** Apart from the rest, because all gates come with it. */
const loadJudging = () => import('./judge-again.ts');

const evidence =
  (name: Exclude<keyof typeof Evidence, 'EVIDENCE_PAGE_SIGNALS_MAX' | 'loadEvidence'>): Route<ConsoleDeps>['answer'] =>
  async (deps, call) =>
    (await loadLazy()).evidence[name](deps, call);

const memory =
  (name: 'listObjects' | 'listSeen' | 'postBuffer' | 'postImport' | 'postPoint'): Route<ConsoleDeps>['answer'] =>
  async (deps, call) =>
    (await loadLazy()).memory[name](deps, call);

const NO_PAGE: Route<ConsoleDeps> = route('GET', '/', 'nobody', () => {
  throw new HttpError(404, 'not-found', 'this stack has no page');
});

/** The first row whose path and method fit answers. */
export const ROUTES: readonly Route<ConsoleDeps>[] = [
  ...CONTROL_ROUTES,
  route('GET', '/health', 'nobody', answerHealth),
  route('POST', '/api/messages', 'speak', postMessage),
  route('GET', '/api/signals', 'read', async (...call) => (await loadLazy()).listSignals(...call)),
  route('POST', `${SIGNAL}/redrive`, 'approver', async (...call) => (await loadLazy()).redriveSignal(...call)),
  route('POST', `${SIGNAL}/effects/(\\d{1,3})`, 'approver', async (...call) =>
    (await loadLazy()).resolveEffect(...call),
  ),
  route('GET', '/api/evidence', 'read', evidence('listEvidence')),
  route('GET', `${SIGNAL}/evidence`, 'read', evidence('showEvidence')),
  route('GET', `${SIGNAL}/replay`, 'read', async (...call) => (await loadJudging()).replaySignal(...call)),
  route('GET', `${SIGNAL}/stream`, 'own', async (...call) => (await loadLazy()).streamSignal(...call)),
  route('GET', '/api/signals/(.+)', 'own', showSignal),
  route('GET', '/api/stopped', 'read', listStopped),
  route('GET', '/api/memory/objects', 'read', memory('listObjects')),
  route('GET', '/api/memory/seen/([0-9a-f]{32})', 'read', memory('listSeen')),
  route('POST', '/api/memory/buffer', 'speak-as-owner', memory('postBuffer')),
  route('POST', '/api/memory/import', 'speak-as-owner', memory('postImport')),
  route('POST', '/api/memory/point', 'speak-as-owner', memory('postPoint')),
  route('GET', '/api/log', 'read', evidence('showStanding')),
  route('POST', '/api/log', 'read', evidence('wakeLog')),
  route('GET', '/api/log/checkpoint', 'read', evidence('showCheckpoint')),
  route('GET', '/api/log/checkpoints', 'read', evidence('listCheckpoints')),
  route('GET', '/api/log/key', 'read', evidence('showKeys')),
  route('GET', '/api/log/gate-sets', 'read', evidence('showGateSets')),
  route('GET', '/api/log/gate-code/([0-9a-f]{64})', 'read', evidence('showGateCode')),
  route('GET', '/api/log/(tile/.+)', 'read', evidence('showTile')),
  route('GET', '/api/log/records', 'read', evidence('listRecords')),
  route('GET', '/api/log/records/(.+)', 'read', evidence('showRecords')),
  route('GET', '/api/log/commits', 'read', evidence('listCommits')),
  route('POST', '/api/pairing-codes', 'approver', async (deps) => respondJson(201, await makePairingCode(deps))),
  ...CONSOLE_ROUTES,
  ...(CONSOLE_ROUTES.some(({ path }) => path.test('/')) ? [] : [NO_PAGE]),
];

/** An older copy of the table shows nothing while it may hold content that was forgotten since. */
const refuseForgotten = async (deps: ConsoleDeps): Promise<void> => {
  const state = await loadRestoreState(deps.table, deps.space);
  if (state !== undefined && isForgetting(state)) throw new HttpError(503, 'held', describeForgetting(state));
};

/** For a script without `read`, signals of others do not exist. @throws HttpError 404 */
const requireOwn = async (deps: ConsoleDeps, { caller, params }: RouteCall): Promise<void> => {
  if (hasScope(caller, 'read')) return;
  const { signal } = await loadRecord(deps.table, deps.space, params[0]);
  if (caller.kind !== 'script' || !signal.session.startsWith(namespaceOf(caller.name))) throw noSuchSignal();
};

const admit = async (deps: ConsoleDeps, { method, needs }: Route<ConsoleDeps>, call: RouteCall): Promise<void> => {
  if (method === 'GET') await refuseForgotten(deps);
  if (needs === 'own' && call.params.length > 0) await requireOwn(deps, call);
};

/** Answers function URL events; never throws. */
export const buildConsole = (deps: ConsoleDeps): ((event: unknown) => Promise<HttpResponse>) => {
  const answer = buildSharedHealth(deps);
  const routes = [...operationRoutes(deps.features), ...ROUTES].map((row) =>
    row.answer === answerHealth ? { ...row, answer } : row,
  );
  return (event) => answerRoutes({ routes, deps, admit }, event);
};
