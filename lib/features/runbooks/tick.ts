/** The part of runbooks in a tick: waits that are over, and runs that nothing else moves on. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';

export const runbookTick: FeatureHooks = {
  onTick: {
    takes: ({ sk }) => String(sk).startsWith('run#'),
    look: async (...tick) => (await import('./look-at-run.ts')).lookAtRuns(...tick),
  },
};
