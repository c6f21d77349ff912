/** The tools of features: one row each. `tools/catalogue.ts` alone imports this list. */

import type { Tool } from '../tools/tool.ts';
import { JOB_TOOLS } from './jobs/tools.ts';
import { LEARNING_TOOLS } from './learning/tools.ts';
import { RUNBOOK_TOOLS } from './runbooks/tools.ts';

export const FEATURE_TOOLS: readonly Tool[] = [...LEARNING_TOOLS, ...JOB_TOOLS, ...RUNBOOK_TOOLS];
