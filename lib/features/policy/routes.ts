/** The routes of the owner's policy: it is shown and put in force, and tried on one signal. */
import { loadLazy } from '../../core/edge/console/operations.ts';
import { type ConsoleDeps, type Route, route, SIGNAL_ID_PATTERN } from '../../core/edge/console/router.ts';

/** Apart from the rest, because all gates come with it. */
const loadTrial = () => import('./try-signal.ts');

export const POLICY_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('POST', `/api/signals/(${SIGNAL_ID_PATTERN})/try-policy`, 'read', async (...call) =>
    (await loadTrial()).trySignalPolicy(...call),
  ),
  route('GET', '/api/policy', 'read', async (deps) => (await loadLazy()).CONSOLE_PARTS.showPolicy(deps)),
  route('POST', '/api/policy', 'approver', async (...call) => (await loadLazy()).CONSOLE_PARTS.postPolicy(...call)),
];
