/** The part of delegation in a tick: helpers that nothing else ended, and reports that got lost. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { signalIdOf } from '../../core/store/keys.ts';

export const delegationTick: FeatureHooks = {
  onTick: {
    takes: ({ sk }) => sk === 'task',
    look: async (deps, items) => {
      const { lookAtTask } = await import('./close-task.ts');
      let fault: unknown;
      for (const { pk } of items) {
        try {
          await lookAtTask({ ...deps, mayPay: false }, signalIdOf(pk, deps.space));
        } catch (error) {
          fault ??= error;
        }
      }
      return { started: 0, ...(fault === undefined ? {} : { fault }) };
    },
  },
};
