/**
 * Every route of the console: method, path, the token it needs, and the function that answers. The
 * control function answers its three alone too; they stand here for scripts that know only the
 * console's address.
 */

import { CONSOLE_ROUTES } from '../../../features/console.ts';
import { namespaceOf } from '../../channels/console/parse-message.ts';
import { HttpError, type HttpResponse, respondJson } from '../../http/function-url.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import { CONSOLE_VERBS } from './console-verbs.ts';
import { CONTROL_ROUTES } from './control.ts';
import type * as Evidence from './evidence.ts';
import { answerHealth, buildSharedHealth } from './health.ts';
import { loadRecord } from './load-record.ts';
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

/** The standing of the log, its tiles, and the parts of an export. */
const LOG_PARTS: readonly string[] = [
  ...['', '/checkpoint', '/checkpoints', '/key', '/gate-sets', '/gate-code/([0-9a-f]{64})', '/(tile/.+)'],
  ...['/records', '/records/(.+)', '/commits'],
];

/** The first row whose path and method fit answers. */
export const ROUTES: readonly Route<ConsoleDeps>[] = [
  ...CONTROL_ROUTES,
  route('GET', '/health', 'nobody', answerHealth),
  route('POST', '/api/messages', 'speak', postMessage),
  route('POST', `${SIGNAL}/redrive`, 'approver', async (...call) => (await loadLazy()).postRedrive(...call)),
  route('POST', `${SIGNAL}/effects/(\\d{1,3})`, 'approver', async (...call) =>
    (await loadLazy()).postResolution(...call),
  ),
  // For a door that passes a token on.
  route('GET', '/api/token', 'own', (_, { caller }) =>
    respondJson(
      200,
      caller.kind === 'approver' ? { role: caller.kind } : { ...caller, role: caller.kind, scopes: [...caller.scopes] },
    ),
  ),
  route('GET', '/api/evidence', 'read', evidence('listEvidence')),
  route('GET', `${SIGNAL}/evidence`, 'read', evidence('showEvidence')),
  route('GET', `${SIGNAL}/replay`, 'read', async (...call) => (await loadJudging()).replaySignal(...call)),
  route('GET', `${SIGNAL}/stream`, 'own', async (...call) => (await loadLazy()).streamSignal(...call)),
  route('GET', '/api/signals/(.+)', 'own', async (...call) => (await loadLazy()).showSignal(...call)),
  route('GET', '/api/stopped', 'read', async (...call) => (await loadLazy()).listStopped(...call)),
  route('GET', '/api/memory/objects', 'read', memory('listObjects')),
  route('GET', '/api/memory/seen/([0-9a-f]{32})', 'read', memory('listSeen')),
  route('POST', '/api/memory/buffer', 'speak-as-owner', memory('postBuffer')),
  route('POST', '/api/memory/import', 'speak-as-owner', memory('postImport')),
  route('POST', '/api/memory/point', 'speak-as-owner', memory('postPoint')),
  route('POST', '/api/log', 'read', evidence('wakeLog')),
  ...LOG_PARTS.map((part) => route('GET', `/api/log${part}`, 'read', evidence('showLog'))),
  route('POST', '/api/pairing-codes', 'approver', async (deps) =>
    respondJson(201, await (await loadLazy()).makePairingCode(deps)),
  ),
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
export const buildConsole = (given: ConsoleDeps): ((event: unknown) => Promise<HttpResponse>) => {
  const deps = { ...given, features: [...given.features, CONSOLE_VERBS] };
  const answer = buildSharedHealth(deps);
  const routes = [...CONTROL_ROUTES, ...operationRoutes(deps.features), ...ROUTES].map((row) =>
    row.answer === answerHealth ? { ...row, answer } : row,
  );
  return (event) => answerRoutes({ routes, deps, admit }, event);
};
