/** The hooks of features in a tick, each by its own rows, and if a signal is given up. */

import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { jobTick } from '../../lib/features/jobs/tick.ts';
import { newsTick } from '../../lib/features/news/tick.ts';
import { runbookTick } from '../../lib/features/runbooks/tick.ts';
import { runnerTick } from '../../lib/features/runner/tick.ts';
import type { FeatureHooks, Hooks } from '../../lib/operations/hooks.ts';

export const loadLazy = () => import('./lazy.ts');

/** Most spaces have no handler for failures: then nothing of the sandbox is loaded. */
const skills: FeatureHooks = {
  onGivenUp: async (deps, signal, failure) => {
    const listeners = await deps.findListeners([`error:${failure}`]);
    if (listeners.length === 0) return undefined;
    return (await loadLazy()).handleError(deps, signal, listeners, failure);
  },
};

export const FAILURE_HOOKS: Hooks = [skills];

/** In this order: a run that has ended makes room for the next run of its job. */
export const HEARTBEAT_HOOKS: Hooks = [runbookTick, runnerTick, jobTick, newsTick, ...ENDING_HOOKS, ...FAILURE_HOOKS];
