/** What wings may choose for a signal that is given up. */
import type { Hooks, WingHooks } from '../../operations/hooks.ts';

/** Most spaces have no handler for failures: then nothing of the sandbox is loaded. */
const skills: WingHooks = {
  onGivenUp: async (deps, signal, failure) => {
    const listeners = await deps.findListeners([`error:${failure}`]);
    if (listeners.length === 0) return undefined;
    const { handleError } = await import('../skills/handle-error.ts');
    return handleError(deps, signal, listeners, failure);
  },
};

export const FAILURE_HOOKS: Hooks = [skills];
