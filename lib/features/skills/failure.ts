/** The part of skills where a signal is given up: handlers that listen to failures. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { findListeners } from './find-listeners.ts';
import { hasEvents } from './skill-events.ts';

/** Most spaces have no handler for failures: then nothing of the sandbox is loaded. */
export const skillFailure: FeatureHooks = {
  onGivenUp: async (deps, signal, failure) => {
    if (!hasEvents(signal)) return undefined;
    const listeners = await findListeners({ ...deps, space: signal.space }, [`error:${failure}`], deps.now);
    if (listeners.length === 0) return undefined;
    return (await import('./handle-error.ts')).handleError(deps, signal, listeners, failure);
  },
};
