/** The document by which those who vouch for logins know this stack: it holds nothing secret. */
import { type ConsoleDeps, type Route, route } from '../../core/edge/console/router.ts';
import { respondJson } from '../../core/http/function-url.ts';
import { CLIENT_PATH, clientDocument } from './client-metadata.ts';

export const CONSENT_ROUTES: readonly Route<ConsoleDeps>[] = [
  route('GET', CLIENT_PATH, 'nobody', (_, { request }) => respondJson(200, clientDocument(request))),
];
