/** The routes of features in the console, whose table alone imports this list. */
import type { ConsoleDeps, Route } from '../core/edge/console/router.ts';
import { CONSENT_ROUTES } from './consent/routes.ts';
import { PAGE_ROUTES } from './page/routes.ts';
import { POLICY_ROUTES } from './policy/routes.ts';
import { PROVIDER_ROUTES } from './providers/routes.ts';
import { RESPONSE_ROUTES } from './responses/routes.ts';
import { RUNBOOK_ROUTES } from './runbooks/routes.ts';

export const CONSOLE_ROUTES: readonly Route<ConsoleDeps>[] = [
  ...[...PAGE_ROUTES, ...RUNBOOK_ROUTES],
  ...[...CONSENT_ROUTES, ...POLICY_ROUTES, ...PROVIDER_ROUTES, ...RESPONSE_ROUTES],
];
