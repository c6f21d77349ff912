/** The part of runbooks in Perceive: their steps, and jobs whose work is a runbook. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';

const loadParts = () => import('./perceive-parts.ts');

export const perceiveRunbooks: FeatureHooks = {
  sensors: {
    'run-step': async (context) => (await loadParts()).answerRunStep(context),
    'job-due': async (context) => (await loadParts()).beginJobRun(context),
  },
  dryRunJob: async (...job) => (await loadParts()).dryRunJob(...job),
};
