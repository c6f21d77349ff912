/** The functions that features bring: what triggers each, and what it may touch. */
import type { FeatureFunction } from '../lib/features/function-names.ts';
import { DOCUMENT_FUNCTION } from './features/documents/function.ts';
import { MCP_FUNCTION } from './features/door/function.ts';
import { MAIL_FUNCTION } from './features/mail/function.ts';
import { RESPONSES_FUNCTION } from './features/responses/function.ts';
import { RUNNER_FUNCTION } from './features/runner/function.ts';
import { SIGNAL_FUNCTION } from './features/signal/function.ts';
import { SLACK_FUNCTION } from './features/slack/function.ts';
import { TELEGRAM_FUNCTION } from './features/telegram/function.ts';
import { TRACES_FUNCTION } from './features/traces/function.ts';
import { WEBHOOK_FUNCTION } from './features/webhooks/function.ts';
import type { FunctionSpec } from './function-spec.ts';

export const FEATURE_FUNCTION_SPECS = {
  telegram: TELEGRAM_FUNCTION,
  slack: SLACK_FUNCTION,
  webhook: WEBHOOK_FUNCTION,
  runner: RUNNER_FUNCTION,
  document: DOCUMENT_FUNCTION,
  mcp: MCP_FUNCTION,
  signal: SIGNAL_FUNCTION,
  responses: RESPONSES_FUNCTION,
  mail: MAIL_FUNCTION,
  traces: TRACES_FUNCTION,
} as const satisfies Record<FeatureFunction, FunctionSpec>;
