/** The German sentences of features' tools. `tools/sentences-german.ts` alone imports this list. */
import type { Sentence } from '../core/tools/sentence.ts';
import { DELEGATION_SENTENCES } from './delegation/sentences-german.ts';
import { DOCUMENT_SENTENCES } from './documents/sentences-german.ts';
import { FORGETTING_SENTENCES } from './forgetting/sentences-german.ts';
import { JOB_SENTENCES } from './jobs/sentences-german.ts';
import { LEARNING_SENTENCES } from './learning/sentences-german.ts';
import { MCP_SENTENCES } from './mcp/sentences-german.ts';
import { OUTLINE_SENTENCES } from './outlines/sentences-german.ts';
import { PLAN_SENTENCES } from './plans/sentences-german.ts';
import { PROVIDER_SENTENCES } from './providers/sentences-german.ts';
import { RUNBOOK_SENTENCES } from './runbooks/sentences-german.ts';
import { RUNNER_SENTENCES } from './runner/sentences-german.ts';
import { SKILL_SENTENCES } from './skills/sentences-german.ts';
import { TENDING_SENTENCES } from './tending/sentences-german.ts';
import { WEB_SENTENCES } from './web/sentences-german.ts';
import { WEBHOOK_SENTENCES } from './webhooks/sentences-german.ts';

export const FEATURE_SENTENCES: Readonly<Record<string, Sentence>> = {
  ...DELEGATION_SENTENCES,
  ...DOCUMENT_SENTENCES,
  ...FORGETTING_SENTENCES,
  ...JOB_SENTENCES,
  ...LEARNING_SENTENCES,
  ...MCP_SENTENCES,
  ...OUTLINE_SENTENCES,
  ...PLAN_SENTENCES,
  ...PROVIDER_SENTENCES,
  ...RUNBOOK_SENTENCES,
  ...RUNNER_SENTENCES,
  ...SKILL_SENTENCES,
  ...WEB_SENTENCES,
  ...WEBHOOK_SENTENCES,
  ...TENDING_SENTENCES,
};
