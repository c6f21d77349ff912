/** The modules for the end of a run's step or of a job's turn. */
export { releaseChosen } from '../wings/events/release-chosen.ts';
export { closeEnded } from '../wings/jobs/close-run.ts';
export { nextStep } from './runbooks/next-step.ts';
