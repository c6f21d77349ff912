/** The hooks of features when a signal ends: all that Act needs of them. */
import { jobOf } from '../money/day-spend.ts';
import type { FeatureHooks, Hooks } from '../operations/hooks.ts';
import { eventEnding } from './events/ending.ts';
import { loadLazy } from './load-lazy.ts';
import { runbookEnding } from './runbooks/ending.ts';

/** The run of a job ends with the last signal of its turn. */
const jobs: FeatureHooks = {
  onEnded: async (deps, { session, root }) => {
    if (jobOf(session) === undefined) return;
    await (await loadLazy()).closeEnded({ ...deps, now: deps.now() }, root);
  },
};

export const ENDING_HOOKS: Hooks = [runbookEnding, eventEnding, jobs];
