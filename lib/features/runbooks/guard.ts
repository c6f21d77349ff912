/**
 * Act performs a step of a run only while it is the run's current step and nobody stopped the run:
 * it looks before it judges, and again in the transaction that claims the action.
 */
import { stepOf } from '../../core/signal/ids.ts';
import type { ClaimGuard } from '../../core/stages/act/guard.ts';
import { loadLazy } from '../load-lazy.ts';
import { grantOfStep } from './grant-of-step.ts';

export const runbookGuard: ClaimGuard = {
  name: 'runs',
  takes: (_, { signal, judged }) => stepOf(signal.id) !== undefined && judged.action.author !== 'code',
  look: async (_, { stepRun }, { signal }) => (await loadLazy()).lookAtRun(signal, stepRun),
  grantOf: ({ stepRun }) => stepRun?.current && grantOfStep(stepRun, stepRun.current),
};
