/** The routes of the owner's policy: it is shown and put in force, and tried on one signal. */
import { loadLazy } from '../../core/edge/console/operations.ts';
import { type ConsoleDeps, type Route, route, SIGNAL_ID_PATTERN } from '../../core/edge/console/router.ts';

const answer =
  (name: 'showPolicy' | 'postPolicy' | 'trySignalPolicy'): Route<ConsoleDeps>['answer'] =>
  async (...call) =>
    (await loadLazy()).CONSOLE_PARTS[name](...call);

export const POLICY_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('POST', `/api/signals/(${SIGNAL_ID_PATTERN})/try-policy`, 'read', answer('trySignalPolicy')),
  route('GET', '/api/policy', 'read', answer('showPolicy')),
  route('POST', '/api/policy', 'approver', answer('postPolicy')),
];
