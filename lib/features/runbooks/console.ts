/** The part of runbooks in the console: the form of their files, and how many steps a run has. */
import type { CountSteps } from '../../core/edge/console/router.ts';
import { buildRunbookSchema } from './runbook-schema.ts';
import { loadRunbook } from './store-run.ts';

export const RUNBOOK_CONSOLE = { buildRunbookSchema } as const;

/** @returns undefined if the text of its runbook is gone */
export const countSteps: CountSteps = ({ table, space }, run) =>
  loadRunbook(table, space, run).then(
    ({ steps }) => steps.length,
    () => undefined,
  );
