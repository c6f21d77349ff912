/** The modules of a tick that finds something to do, and of a failure that a skill listens to. */
export { runDue, skipDue } from '../jobs/run-due.ts';
export { sendDigests } from '../news/send-digests.ts';
export { lookAtRuns } from '../runbooks/look-at-run.ts';
export { lookAtOrders } from '../runners/look-at-order.ts';
export { handleError } from '../skills/handle-error.ts';
