/** The part of jobs in a tick, and in a table that is an older copy. */
import type { AfterRestore, FeatureHooks } from '../../core/operations/hooks.ts';

const loadParts = () => import('./run-due.ts');

export const jobTick: FeatureHooks = {
  onTick: {
    takes: ({ sk }) => sk === 'occurrence' || String(sk).startsWith('job#'),
    look: async (...tick) => (await loadParts()).runDue(...tick),
  },
};

export const skipRestored: AfterRestore = async (...copy) => (await loadParts()).skipDue(...copy);
