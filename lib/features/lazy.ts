/** Code of features that `load-lazy.ts` loads: a guard of Act, and the end of steps and turns. */

export { lookAtTask } from './delegation/close-task.ts';
export { releaseChosen } from './events/release-chosen.ts';
export { closeEnded } from './jobs/close-run.ts';
export { lookAtPlan } from './plans/look-at-plan.ts';
export { lookAtRun } from './runbooks/look-at-step.ts';
export { nextStep } from './runbooks/next-step.ts';
