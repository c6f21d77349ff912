/** How many steps a run has: the first that knows it says so. */
import type { CountSteps } from '../core/edge/console/router.ts';
import { countSteps } from './runbooks/console.ts';

export const STEP_COUNTERS: readonly CountSteps[] = [countSteps];
