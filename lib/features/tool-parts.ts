/**
 * All that features' tools load with their first call, under the names that they use.
 * `tools/parts.ts` alone imports this list: code that each loads late by itself would split what
 * every function loads.
 */
import { DELEGATION_PARTS } from './delegation/parts.ts';
import { FORGETTING_PARTS } from './forgetting/parts.ts';
import { JOB_PARTS } from './jobs/parts.ts';
import { MANUAL_PARTS } from './manual/parts.ts';
import { OUTLINE_PARTS } from './outlines/parts.ts';
import { PLAN_PARTS } from './plans/parts.ts';
import { PROVIDER_PARTS } from './providers/parts.ts';
import { MACHINE_PARTS } from './runner/parts.ts';
import { SKILL_PARTS } from './skills/parts.ts';
import { TENDING_PARTS } from './tending/parts.ts';
import { WEB_PARTS } from './web/parts.ts';
import { WEBHOOK_PARTS } from './webhooks/parts.ts';

export const FEATURE_PARTS = {
  ...DELEGATION_PARTS,
  ...FORGETTING_PARTS,
  ...JOB_PARTS,
  ...MACHINE_PARTS,
  ...PROVIDER_PARTS,
  ...MANUAL_PARTS,
  ...OUTLINE_PARTS,
  ...PLAN_PARTS,
  ...SKILL_PARTS,
  ...TENDING_PARTS,
  ...WEB_PARTS,
  ...WEBHOOK_PARTS,
} as const;
