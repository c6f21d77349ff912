/** The part of plans in Act: the run that a step belongs to, as its records have it. */
import { loadRun } from '../../core/ledger/load-run.ts';
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { rootOf } from '../../core/signal/ids.ts';
import { loadPlanRun } from './load-plan-run.ts';

export const actPlans: ActFeature = {
  buildPowers: ({ table, space }) => ({
    planRuns: {
      load: async (signalId) => {
        const run = await loadRun(table, space, rootOf(signalId));
        return run && loadPlanRun(table, space, run);
      },
    },
  }),
};
