/** The checks of the runbooks of skills. `skills/parse-skill.ts` alone imports this list. */

import { checkRunbook } from './runbooks/parse-runbook.ts';
import type { CheckRunbook } from './skills/skill-files.ts';

export const RUNBOOK_CHECKS: readonly CheckRunbook[] = [checkRunbook];
