/** The modules that Perceive loads with the first signal that a feature answers. */

export { answerRunStep } from '../../lib/features/runbooks/answer-run-step.ts';
export { beginJobRun } from '../../lib/features/runbooks/begin-job-run.ts';
export { dryRunJob } from '../../lib/features/runbooks/dry-run.ts';
export { answerMemoryUpdate } from '../../lib/wings/notes/memory-update.ts';
export { answerSkillEvent } from '../../lib/wings/skills/run-handler.ts';
