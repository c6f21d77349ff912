/** The code of the tools of runbooks, which reads YAML. */
import { parseRunbook } from './parse-runbook.ts';
import { RUNBOOK_FORM } from './runbook-form.ts';
import { showRunbooks } from './show-runbooks.ts';
import { startRun } from './start-run.ts';

export const RUNBOOK_PARTS = { parseRunbook, RUNBOOK_FORM, showRunbooks, startRun } as const;
