/** The hooks of features in a tick, each by its own rows, and if a signal is given up. */

import { ENDING_HOOKS } from '../../lib/features/ending.ts';
import { newsTick } from '../../lib/features/news/tick.ts';
import { runnerTick } from '../../lib/features/runner/tick.ts';
import type { FeatureHooks, Hooks } from '../../lib/operations/hooks.ts';

export const loadLazy = () => import('./lazy.ts');

const runbooks: FeatureHooks = {
  onTick: {
    takes: ({ sk }) => String(sk).startsWith('run#'),
    look: async (deps, items) => (await loadLazy()).lookAtRuns(deps, items),
  },
};

const jobs: FeatureHooks = {
  onTick: {
    takes: ({ sk }) => sk === 'occurrence' || String(sk).startsWith('job#'),
    look: async (deps, items) => (await loadLazy()).runDue(deps, items),
  },
};

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
export const HEARTBEAT_HOOKS: Hooks = [runbooks, runnerTick, jobs, newsTick, ...ENDING_HOOKS, ...FAILURE_HOOKS];
