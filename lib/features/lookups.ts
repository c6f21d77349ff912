/** The look-ups of features for forms. `tools/form-lookups.ts` alone imports this list. */
import type { BuildLookups } from '../core/tools/tool.ts';
import { runbookLookups } from './runbooks/find-runbook.ts';
import { skillLookups } from './skills/lookups.ts';

export const FORM_LOOKUPS: readonly BuildLookups[] = [runbookLookups, skillLookups];
