/** The pages of the manual: a row for each feature that brings some. */
import { BACKUP_PAGES } from './backup/manual.ts';
import { CONSENT_PAGES } from './consent/manual.ts';
import { DOCUMENT_PAGES } from './documents/manual.ts';
import { DOOR_PAGES } from './door/manual.ts';
import { EVENT_PAGES } from './events/manual.ts';
import { FORGETTING_PAGES } from './forgetting/manual.ts';
import { JOB_PAGES } from './jobs/manual.ts';
import { LEARNING_PAGES } from './learning/manual.ts';
import { LINE_PAGES } from './lines/manual.ts';
import { MAIL_PAGES } from './mail/manual.ts';
import { CORE_PAGES } from './manual/core-pages.ts';
import { MCP_PAGES } from './mcp/manual.ts';
import { MONEY_PAGES } from './money/manual.ts';
import { NEWS_PAGES } from './news/manual.ts';
import { NOTE_PAGES } from './notes/manual.ts';
import { PAGE_PAGES } from './page/manual.ts';
import { POLICY_PAGES } from './policy/manual.ts';
import { POLLING_PAGES } from './polling/manual.ts';
import { PROVIDER_PAGES } from './providers/manual.ts';
import { RECEIPT_PAGES } from './receipts/manual.ts';
import { RESPONSE_PAGES } from './responses/manual.ts';
import { RESTORE_PAGES } from './restore/manual.ts';
import { RUNBOOK_PAGES } from './runbooks/manual.ts';
import { RUNNER_PAGES } from './runner/manual.ts';
import { SIGNAL_PAGES } from './signal/manual.ts';
import { SKILL_PAGES } from './skills/manual.ts';
import { SLACK_PAGES } from './slack/manual.ts';
import { SUBSCRIPTION_PAGES } from './subscriptions/manual.ts';
import { TELEGRAM_PAGES } from './telegram/manual.ts';
import { TENDING_PAGES } from './tending/manual.ts';
import { TRACE_PAGES } from './traces/manual.ts';
import { UNDO_PAGES } from './undo/manual.ts';
import { VOICE_PAGES } from './voice/manual.ts';
import { WEB_PAGES } from './web/manual.ts';
import { WEBHOOK_PAGES } from './webhooks/manual.ts';
import { WITNESS_PAGES } from './witnesses/manual.ts';

/** A page of the manual: one thing that a person can do. */
export interface ManualPage {
  readonly title: string;
  readonly german: string;
  /** Words that people may ask in, English and German. */
  readonly words: string;
  /** Names of operations, whose form and sentence the page shows. */
  readonly verbs?: readonly string[];
  /** Other commands, and what each does in English and in German. */
  readonly steps?: readonly (readonly [command: string, english: string, german: string])[];
  /** The document that says more, from the root; `#` begins a section. */
  readonly see: string;
}

export const MANUAL_PAGES: readonly ManualPage[] = [
  ...CORE_PAGES,
  ...BACKUP_PAGES,
  ...CONSENT_PAGES,
  ...DOCUMENT_PAGES,
  ...DOOR_PAGES,
  ...EVENT_PAGES,
  ...FORGETTING_PAGES,
  ...JOB_PAGES,
  ...LEARNING_PAGES,
  ...LINE_PAGES,
  ...MCP_PAGES,
  ...MONEY_PAGES,
  ...NEWS_PAGES,
  ...NOTE_PAGES,
  ...PAGE_PAGES,
  ...POLICY_PAGES,
  ...POLLING_PAGES,
  ...PROVIDER_PAGES,
  ...RECEIPT_PAGES,
  ...RESPONSE_PAGES,
  ...RESTORE_PAGES,
  ...RUNBOOK_PAGES,
  ...RUNNER_PAGES,
  ...SKILL_PAGES,
  ...SUBSCRIPTION_PAGES,
  ...SIGNAL_PAGES,
  ...TELEGRAM_PAGES,
  ...SLACK_PAGES,
  ...MAIL_PAGES,
  ...TENDING_PAGES,
  ...TRACE_PAGES,
  ...UNDO_PAGES,
  ...VOICE_PAGES,
  ...WEB_PAGES,
  ...WEBHOOK_PAGES,
  ...WITNESS_PAGES,
];
