/** The modules that Perceive loads with the first signal that a feature answers. */
export { beginJobRun } from '../jobs/begin-job-run.ts';
export { answerMemoryUpdate } from '../notes/memory-update.ts';
export { answerRunStep } from '../runbooks/answer-run-step.ts';
export { answerSkillEvent } from '../skills/run-handler.ts';
