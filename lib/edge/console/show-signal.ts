/**
 * GET /api/signals/<id> → the signal's view with the replies of everything it caused. Walks level
 * by level, bounded by as many levels as a chain can have (the last one is the signal dropped for
 * being too deep) and TURN_SIGNALS_MAX signals. A script that may not read gets the replies only:
 * what the gates kept back stands in the rest.
 */

import { DEPTH_MAX } from '../../base/limits.ts';
import { HttpError, type HttpResponse, respondJson } from '../function-url.ts';
import { isSignalId } from './console-ids.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';
import { buildSignalView, childrenOf } from './signal-view.ts';
import { loadStoredSignal, type StoredSignal } from './stored-signal.ts';
import { hasScope } from './tokens.ts';

/** Signals of one turn looked at for its replies: far more than depth and actions make in practice. */
const TURN_SIGNALS_MAX = 64;

/** What a signal caused, nearest first. A child that is named but not stored yet is left out. */
export const walkDescendants = async (
  load: (id: string) => Promise<StoredSignal | undefined>,
  stored: StoredSignal,
): Promise<readonly StoredSignal[]> => {
  const found: StoredSignal[] = [];
  let level: readonly StoredSignal[] = [stored];
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth += 1) {
    const ids = level.flatMap(childrenOf).slice(0, TURN_SIGNALS_MAX - found.length);
    const children = await Promise.all(ids.map(load));
    level = children.filter((child) => child !== undefined);
    found.push(...level);
  }
  return found;
};

export const showSignal = async (deps: ConsoleDeps, { params, caller }: RouteCall): Promise<HttpResponse> => {
  const id = params[0] ?? '';
  const stored = isSignalId(id) ? await loadStoredSignal(deps.table, deps.space, id) : undefined;
  if (stored === undefined) throw new HttpError(404, 'not-found', 'there is no such signal');
  const descendants = await walkDescendants((child) => loadStoredSignal(deps.table, deps.space, child), stored);
  const view = buildSignalView(stored, descendants, deps.now());
  if (hasScope(caller, 'read')) return respondJson(200, view);
  const { state, session, sender, receivedAt, replies, turn, isTurnClosed } = view;
  return respondJson(200, { id, state, session, sender, receivedAt, replies, turn, isTurnClosed });
};
