/** The checks of the runbooks of skills. `skills/parse-skill.ts` alone imports this list. */
import type { CheckRunbook } from '../core/skills/skill-files.ts';
import { checkRunbook } from './runbooks/parse-runbook.ts';

export const RUNBOOK_CHECKS: readonly CheckRunbook[] = [checkRunbook];
