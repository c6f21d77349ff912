/** The routes of the console for programs that speak with a model. */
import { loadLazy } from '../../core/edge/console/operations.ts';
import { type ConsoleDeps, type Route, route, SIGNAL_ID_PATTERN } from '../../core/edge/console/router.ts';

const answer =
  (name: 'postResponse' | 'showResponse'): Route<ConsoleDeps>['answer'] =>
  async (...call) =>
    (await loadLazy()).CONSOLE_PARTS[name](...call);

export const RESPONSE_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('POST', '/api/responses', 'speak', answer('postResponse')),
  route('GET', `/api/responses/(${SIGNAL_ID_PATTERN})`, 'own', answer('showResponse')),
];
