/** The code of the tools of runbooks, which reads YAML. */
import { describeRunbook } from './describe-runbook.ts';
import { parseRunbook } from './parse-runbook.ts';
import { RUNBOOK_FORM } from './runbook-form.ts';
import { startRun } from './start-run.ts';
import { runbookTexts } from './texts.ts';

export const RUNBOOK_PARTS = { describeRunbook, parseRunbook, runbookTexts, RUNBOOK_FORM, startRun } as const;
