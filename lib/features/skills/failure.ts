/** The part of skills where a signal is given up: handlers that listen to failures. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';

/** Most spaces have no handler for failures: then nothing of the sandbox is loaded. */
export const skillFailure: FeatureHooks = {
  onGivenUp: async (deps, signal, failure) => {
    const listeners = await deps.findListeners([`error:${failure}`]);
    if (listeners.length === 0) return undefined;
    return (await import('./handle-error.ts')).handleError(deps, signal, listeners, failure);
  },
};
