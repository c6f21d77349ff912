/** The route by which a key gets into the vault. */
import { loadLazy } from '../../core/edge/console/operations.ts';
import { type ConsoleDeps, type Route, route } from '../../core/edge/console/router.ts';

export const PROVIDER_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('POST', '/api/provider-key', 'approver', async (...call) =>
    (await loadLazy()).CONSOLE_PARTS.postProviderKey(...call),
  ),
];
