/** The fixed texts that say that nothing was done, by their templates (`notices.ts`). Pure. */
export const REFUSALS: ReadonlySet<string> = new Set([
  // Commands.
  ...['unknown-command', 'usage', 'not-set', 'not-shown', 'may-not-command', 'not-in-this-group'],
  ...['may-not-change-memory', 'code-ended', 'wrong-code', 'still-forgetting'],
  // Stops.
  ...['may-not-resume', 'resume-usage', 'session-stopped-again', 'session-not-stopped'],
  // Approvals and grants.
  ...['no-such-approval', 'may-not-approve', 'approval-stale', 'approval-outdated', 'approval-stopped'],
  ...['approval-session-stopped', 'similar-stale', 'may-not-send-again'],
]);
