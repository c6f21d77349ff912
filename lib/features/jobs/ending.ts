/** The run of a job ends with the last signal of its turn. */
import { jobOf } from '../../core/money/day-spend.ts';
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { isTaskId } from '../../core/signal/ids.ts';
import { loadLazy } from '../load-lazy.ts';

export const jobEnding: FeatureHooks = {
  onEnded: async (deps, { session, root }) => {
    if (jobOf(session) === undefined || isTaskId(root)) return;
    await (await loadLazy()).closeEnded({ ...deps, now: deps.now() }, root);
  },
};
