/** The routes of the page: its parts, and what it alone asks. */
import { loadLazy } from '../../core/edge/console/operations.ts';
import { type ConsoleDeps, type Route, route } from '../../core/edge/console/router.ts';

const parts = async () => (await loadLazy()).CONSOLE_PARTS;

export const PAGE_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('GET', '/', 'nobody', async ({ settings, readPart }, { request }) =>
    (await parts()).answerPage(settings.controlOrigin, readPart, request.headers['if-none-match']),
  ),
  route('GET', '/verifier.js', 'nobody', async ({ readPart }) => (await parts()).answerVerifier(readPart)),
  route('GET', '/page/(.+)', 'nobody', async ({ readPart }, { params: [name = ''] }) =>
    (await parts()).answerPart(name, readPart),
  ),
  route('GET', '/manifest/([0-9a-f]{12})', 'nobody', async ({ readPart }, { params: [hash = ''] }) =>
    (await parts()).answerManifest(hash, readPart),
  ),
  route('GET', '/api/home', 'read', async (...call) => (await parts()).showHome(...call)),
  route('GET', '/api/figures', 'read', async (...call) => (await parts()).showFigures(...call)),
  route('GET', '/api/changes', 'read', async (deps) => (await parts()).showChanges(deps)),
];
