/** The parts of features in answers of other verbs, loaded when one of these is asked. */
import type { FeatureViews } from '../core/operations/feature-views.ts';
import { JOB_VIEWS } from './jobs/views.ts';
import { MCP_VIEWS } from './mcp/views.ts';
import { RUNNER_VIEWS } from './runner/views.ts';
import { SKILL_VIEWS } from './skills/views.ts';

export const FEATURE_VIEWS: readonly FeatureViews[] = [JOB_VIEWS, RUNNER_VIEWS, MCP_VIEWS, SKILL_VIEWS];
