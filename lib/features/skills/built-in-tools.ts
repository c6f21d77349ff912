/**
 * Tools of the built-in skills, read from their folders. Written by
 * `npm run skills`; do not change it by hand.
 */

// biome-ignore format: written by a program
export const BUILT_IN_TOOLS: Readonly<Record<string, readonly string[]>> = {
  'auto-save': ["auto-save"],
  'calculation': ["calculate","current-time"],
  'files': ["read-file","write-file","edit-file","list-files","search-files"],
  'gardener': ["tend-memory","mend-memory"],
  'jobs': ["schedule-job","list-jobs","delegate"],
  'learning': ["edit-skill","look-for-habits","accept-offer"],
  'long-outputs': ["read-output"],
  'messages': ["send-message","send-file"],
  'notes': ["remember","recall","list-memory","edit-memory","forget"],
  'operations': ["run-runbook","list-runbooks"],
  'outlines': ["read-notes","arrange-notes"],
  'plans': ["write-plan","mark-plan"],
  'programs': ["run-code"],
  'reflection': ["pick-notes","keep-insight"],
  'scribe': ["gather-turns","keep-notes"],
  'servers': ["mcp-*"],
  'shell': ["shell"],
  'web': ["fetch-url","search-web"],
  'webhooks': ["call-webhook","propose-plan"],
};

/** Off until the owner switches them on. */
export const OFF_AT_FIRST: ReadonlySet<string> = new Set(['reflection', 'scribe']);
