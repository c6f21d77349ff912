/** Act performs a step of a plan only while memory has the plan exactly as it was approved. */
import type { ClaimGuard } from '../../core/stages/act/guard.ts';
import { loadLazy } from '../load-lazy.ts';

export const planGuard: ClaimGuard = {
  name: 'plans',
  takes: ({ stepRun }, { judged: { action } }) =>
    stepRun?.runbook.startsWith('plan-') === true && action.author !== 'code' && action.tool !== 'mark-plan',
  look: async ({ table }, { stepRun }, { signal }) => (await loadLazy()).lookAtPlan(table, signal.space, stepRun),
};
