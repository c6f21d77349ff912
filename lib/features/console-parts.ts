/** The code of features that the console loads late, and only from there. */
import type { CountSteps } from '../core/edge/console/router.ts';
import { POLICY_CONSOLE } from './policy/console.ts';
import { countSteps, RUNBOOK_CONSOLE } from './runbooks/console.ts';

export const CONSOLE_PARTS = { ...RUNBOOK_CONSOLE, ...POLICY_CONSOLE } as const;

/** The first that knows a run says how many steps it has. */
export const STEP_COUNTERS: readonly CountSteps[] = [countSteps];
