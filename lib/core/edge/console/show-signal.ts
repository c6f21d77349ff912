/** One signal over HTTP, with the replies of everything it caused. */
import { defined } from '../../base/defined.ts';
import { languageFor } from '../../base/language.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { parseHead } from '../../ledger/session.ts';
import { loadHead, loadStoppedSessions } from '../../ledger/session-controls.ts';
import { sessionKey } from '../../store/keys.ts';
import { buildStory, loadTurn } from '../../verbs/signals/load-story.ts';
import { loadLazy } from './operations.ts';
import { type ConsoleDeps, noSuchSignal, parseSignalId, type RouteCall } from './router.ts';
import { hasScope } from './tokens.ts';
import type { StoppedSessionView } from './views.ts';

/** GET /api/signals/<id> → the signal's view; without `read` the turn's view alone. */
export const showSignal = async (deps: ConsoleDeps, { params, caller, request }: RouteCall): Promise<HttpResponse> => {
  const { table, space } = deps;
  const found = await loadTurn(table, space, parseSignalId(params[0]));
  if (found === undefined) throw noSuchSignal();
  if (!hasScope(caller, 'read')) return respondJson(200, found.turn);
  const now = deps.now();
  const language = languageFor(request.headers['accept-language']);
  const story = await buildStory(found, now);
  const { cardWords, loadRules, sayView, signalTexts } = await loadLazy();
  const view = sayView(story, await cardWords.in(language));
  const { session, turn } = found.turn;
  const { mailbox, focus } = (turn === 'running' ? undefined : await loadHead(table, { space, session })) ?? {};
  const rules = await loadRules(table, space, now, await signalTexts.in(language));
  return respondJson(200, { ...view, rules, ...defined({ waiting: mailbox?.length, focus }) });
};

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
