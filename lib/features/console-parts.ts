/** The code of features that the console loads late, and only from there. */
import { PAGE_CONSOLE } from './page/console.ts';
import { POLICY_CONSOLE } from './policy/console.ts';
import { PROVIDER_CONSOLE } from './providers/console.ts';
import { RESPONSES_CONSOLE } from './responses/console.ts';
import { RUNBOOK_CONSOLE } from './runbooks/console.ts';

export const CONSOLE_PARTS = {
  ...PAGE_CONSOLE,
  ...RUNBOOK_CONSOLE,
  ...POLICY_CONSOLE,
  ...PROVIDER_CONSOLE,
  ...RESPONSES_CONSOLE,
} as const;
