/** The steps of features in the set-up. `steps.ts` alone imports this list. */
import { backupStep } from '../../features/backup/setup.ts';
import type { Step } from './step.ts';

/** Behind all others. */
export const LAST_STEPS: readonly Step[] = [backupStep];
