/** The modules for the end of a run's step or of a job's turn. */
export { releaseChosen } from '../events/release-chosen.ts';
export { closeEnded } from '../jobs/close-run.ts';
export { nextStep } from '../runbooks/next-step.ts';
