/** The part of skills in a tick: handlers that listen to it, and the jobs of built-in skills. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { tellTick } from './tell-tick.ts';

export const skillTick: FeatureHooks = {
  onWork: tellTick,
  maintain: async (deps) => (await import('./maintenance.ts')).keepBuiltInJobs(deps),
};
