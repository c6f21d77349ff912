/**
 * The tools of features: one row each, by their place among the others. `tools/catalogue.ts` alone
 * imports this list.
 */
import type { Tool } from '../core/tools/tool.ts';
import { DELEGATION_TOOLS } from './delegation/tools.ts';
import { DOCUMENT_TOOLS } from './documents/tools.ts';
import { FORGETTING_TOOLS } from './forgetting/tools.ts';
import { JOB_TOOLS } from './jobs/tools.ts';
import { LEARNING_TOOLS } from './learning/tools.ts';
import { MCP_TOOLS } from './mcp/tools.ts';
import { OUTLINE_TOOLS } from './outlines/tools.ts';
import { PLAN_TOOLS } from './plans/tools.ts';
import { PROVIDER_TOOLS } from './providers/tools.ts';
import { RUNBOOK_TOOLS } from './runbooks/tools.ts';
import { MACHINE_TOOLS, PAIRING_TOOLS } from './runner/tools.ts';
import { SKILL_TOOLS } from './skills/tools.ts';
import { TENDING_TOOLS } from './tending/tools.ts';
import { WEB_TOOLS } from './web/tools.ts';
import { WEBHOOK_TOOLS } from './webhooks/tools.ts';

/**
 * A prompt lists tools in this order, and a small one has no room for the last. The version of the
 * rules, to which cards are bound, covers it too.
 */
type ToolPlace = 'notes' | 'files' | 'servers' | 'skills' | 'web' | 'machines' | 'upkeep';

export const FEATURE_TOOLS: Readonly<Record<ToolPlace, readonly Tool[]>> = {
  notes: [...FORGETTING_TOOLS],
  files: [...DOCUMENT_TOOLS],
  servers: [...MCP_TOOLS, ...PAIRING_TOOLS, ...PROVIDER_TOOLS],
  skills: [...SKILL_TOOLS, ...LEARNING_TOOLS, ...JOB_TOOLS, ...RUNBOOK_TOOLS, ...WEBHOOK_TOOLS, ...DELEGATION_TOOLS],
  web: [...WEB_TOOLS],
  machines: [...MACHINE_TOOLS],
  upkeep: [...TENDING_TOOLS, ...OUTLINE_TOOLS, ...PLAN_TOOLS],
};
