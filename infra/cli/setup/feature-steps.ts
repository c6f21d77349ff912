/** The steps of features in the set-up. `steps.ts` alone imports this list. */
import { backupStep } from '../../features/backup/setup.ts';
import { policyStep } from '../../features/policy/setup-step.ts';
import { searchStep } from '../../features/web/setup.ts';
import { senderStep } from '../../features/webhooks/sender-step.ts';
import { targetStep } from '../../features/webhooks/target-step.ts';
import type { Step } from './step.ts';

/** Other services, and which of them are called. */
export const REACH_STEPS: readonly Step[] = [searchStep, targetStep, senderStep];
/** By which rules. */
export const RULE_STEPS: readonly Step[] = [policyStep];
/** Behind all others. */
export const LAST_STEPS: readonly Step[] = [backupStep];
