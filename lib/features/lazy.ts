/** Code of features that `load-lazy.ts` loads: a guard of Act, and the end of steps and turns. */

export { closeEnded } from '../wings/jobs/close-run.ts';
export { releaseChosen } from './events/release-chosen.ts';
export { lookAtRun } from './runbooks/look-at-step.ts';
export { nextStep } from './runbooks/next-step.ts';
