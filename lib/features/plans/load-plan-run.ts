/** Loads the run of a plan with the steps that were approved; undefined for any other run. */
import type { Run } from '../../core/ledger/run.ts';
import { runKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { LoadTable } from '../../core/store/table.ts';
import { loadFileParts } from '../../core/tools/tool.ts';
import { approvedNotes, planOfRun } from './plan-steps.ts';
import type { PlanRun } from './tools.ts';

export const loadPlanRun = async (table: LoadTable, space: string, run: Run): Promise<PlanRun | undefined> => {
  if (planOfRun(run) === undefined) return undefined;
  const text = (await loadItem(table, runKeys.text(space, run.hash)))?.text;
  const { parseRunbook } = (await loadFileParts()).FEATURE_FILE_PARTS;
  const parsed = typeof text === 'string' ? parseRunbook(run.runbook, text) : undefined;
  return parsed?.kind === 'runbook' ? { run, notes: approvedNotes(parsed.runbook.steps) } : undefined;
};
