/** The tools of runbooks, and what they add to the powers and the look-ups of tools. */
import { listRunbooks } from './list-runbooks.ts';
import type { FindRunbook, RunbookPowers } from './run-powers.ts';
import { runRunbook } from './run-runbook.ts';
import { askPerson, giveAnswer } from './runbook-steps.ts';

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly runbooks?: RunbookPowers;
  }
  interface FormLookups {
    readonly loadRunbook?: FindRunbook;
  }
}

export const RUNBOOK_TOOLS = [runRunbook, listRunbooks, askPerson, giveAnswer] as const;
