/** The route of runbooks: the form of their files, for editors. */
import { loadLazy } from '../../core/edge/console/operations.ts';
import { type ConsoleDeps, type Route, route } from '../../core/edge/console/router.ts';
import { respondJson } from '../../core/http/function-url.ts';

export const RUNBOOK_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('GET', '/runbook.schema.json', 'nobody', async () =>
    respondJson(200, (await loadLazy()).CONSOLE_PARTS.buildRunbookSchema()),
  ),
];
