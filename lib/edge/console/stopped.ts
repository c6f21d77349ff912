/** Conversations that flood control or a person stopped. */
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { parseHead } from '../../ledger/session.ts';
import { loadStoppedSessions } from '../../ledger/session-controls.ts';
import { sessionKey } from '../../store/keys.ts';
import type { ConsoleDeps, RouteCall } from './router.ts';
import type { StoppedSessionView } from './views.ts';

/** GET /api/stopped → {"sessions", "role"}: stopped conversations, oldest stop first. */
export const listStopped = async (deps: ConsoleDeps, { caller }: RouteCall): Promise<HttpResponse> => {
  const names = await loadStoppedSessions(deps.table, deps.space);
  const heads = await deps.table.load(
    names.map((name) => sessionKey(deps.space, name)),
    { isConsistent: true },
  );
  const sessions = heads.flatMap((item, index): StoppedSessionView[] => {
    const session = names[index] ?? '';
    const head = item === undefined ? undefined : parseHead(session, item);
    // The index may lag: conversations that were resumed meanwhile are left out.
    if (head?.stoppedBecause === undefined) return [];
    const { stoppedBecause: because, stoppedAt = 0, stoppedBy: signalId = '' } = head;
    return [{ session, because, stoppedAt, signalId }];
  });
  return respondJson(200, { sessions, role: caller.kind });
};
