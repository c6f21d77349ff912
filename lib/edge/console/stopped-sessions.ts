/**
 * GET /api/stopped → {"sessions": […], "role"}: conversations that flood control has stopped, oldest stop first. An approver
 * resumes one with POST /api/resume {"session"}.
 */

import type { StopCause } from '../../ledger/record.ts';
import { parseHead } from '../../ledger/session.ts';
import { loadStoppedSessions } from '../../ledger/session-controls.ts';
import { sessionKey } from '../../store/keys.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import type { ConsoleDeps, RouteCall } from './deps.ts';

export interface StoppedSessionView {
  readonly session: string;
  readonly because: StopCause;
  /** Epoch milliseconds. */
  readonly stoppedAt: number;
  /** Signal that was too much: its record says what was blocked, or asked for. */
  readonly signalId: string;
}

export const listStopped = async (deps: ConsoleDeps, { caller }: RouteCall): Promise<HttpResponse> => {
  const names = await loadStoppedSessions(deps.table, deps.space);
  const heads = await deps.table.load(
    names.map((name) => sessionKey(deps.space, name)),
    { isConsistent: true },
  );
  const sessions = heads.flatMap((item, index): StoppedSessionView[] => {
    const session = names[index] ?? '';
    const head = item === undefined ? undefined : parseHead(session, item);
    // The index may lag: what was resumed meanwhile is left out.
    if (head?.stoppedBecause === undefined) return [];
    const { stoppedBecause: because, stoppedAt = 0, stoppedBy: signalId = '' } = head;
    return [{ session, because, stoppedAt, signalId }];
  });
  return respondJson(200, { sessions, role: caller.kind });
};
