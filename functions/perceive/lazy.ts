/** The modules that Perceive loads with the first signal that a feature answers. */
export { beginJobRun } from '../../lib/wings/jobs/begin-job-run.ts';
export { answerMemoryUpdate } from '../../lib/wings/notes/memory-update.ts';
export { answerRunStep } from '../../lib/wings/runbooks/answer-run-step.ts';
export { answerSkillEvent } from '../../lib/wings/skills/run-handler.ts';
