/** The part of jobs in Perceive: events that jobs wait for. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { handToJobs } from './hand-to-jobs.ts';

export const perceiveJobs: FeatureHooks = {
  takeEvent: async (deps, signal) => (signal.payload.sensor === 'webhook' ? handToJobs(deps, signal) : []),
};
