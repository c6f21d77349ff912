/** The parts of features in answers of other verbs, loaded when one of these is asked. */
import type { FeatureViews } from '../core/operations/feature-views.ts';
import { BACKUP_VIEWS } from './backup/last-backup.ts';
import { JOB_VIEWS } from './jobs/views.ts';
import { MCP_VIEWS } from './mcp/views.ts';
import { RECEIPT_VIEWS } from './receipts/views.ts';
import { RUNNER_VIEWS } from './runner/views.ts';
import { SKILL_VIEWS } from './skills/views.ts';
import { TRACE_VIEWS } from './traces/views.ts';
import { WITNESS_VIEWS } from './witnesses/witness-problems.ts';

/** In this order: faults are told so. */
export const FEATURE_VIEWS: readonly FeatureViews[] = [
  JOB_VIEWS,
  RUNNER_VIEWS,
  WITNESS_VIEWS,
  TRACE_VIEWS,
  MCP_VIEWS,
  BACKUP_VIEWS,
  RECEIPT_VIEWS,
  SKILL_VIEWS,
];
