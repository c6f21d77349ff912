/** The code of features' tools that reads YAML. `tools/file-parts.ts` alone imports this list. */
import { JOB_PARTS } from './jobs/file-parts.ts';
import { PLAN_FILE_PARTS } from './plans/file-parts.ts';
import { RUNBOOK_PARTS } from './runbooks/file-parts.ts';
import { SKILL_FILE_PARTS } from './skills/file-parts.ts';

export const FEATURE_FILE_PARTS = { ...JOB_PARTS, ...PLAN_FILE_PARTS, ...RUNBOOK_PARTS, ...SKILL_FILE_PARTS } as const;
