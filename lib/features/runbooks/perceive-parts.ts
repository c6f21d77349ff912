/** The modules that Perceive loads with the first step, or job of steps. */
export { answerRunStep } from './answer-run-step.ts';
export { beginJobRun } from './begin-job-run.ts';
export { dryRunJob } from './dry-run.ts';
