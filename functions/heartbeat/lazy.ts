/** The modules of a tick that finds something to do, and of a failure that a skill listens to. */
export { runDue, skipDue } from '../../lib/wings/jobs/run-due.ts';
export { lookAtRuns } from '../../lib/wings/runbooks/look-at-run.ts';
export { handleError } from '../../lib/wings/skills/handle-error.ts';
