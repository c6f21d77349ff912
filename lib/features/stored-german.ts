/** German of features' verbs and stored sentences, for `language/stored-german.ts` alone. */
import type { SentencePair } from '../core/language/sentence-speaker.ts';
import { CONSENT_STORED } from './consent/stored-german.ts';
import { EVENT_STORED } from './events/stored-german.ts';
import { JOB_STORED } from './jobs/stored-german.ts';
import { MAIL_STORED } from './mail/stored-german.ts';
import { MCP_STORED } from './mcp/stored-german.ts';
import { OUTLINE_STORED } from './outlines/stored-german.ts';
import { PLAN_STORED } from './plans/stored-german.ts';
import { POLLING_STORED } from './polling/stored-german.ts';
import { PROVIDER_STORED } from './providers/stored-german.ts';
import { SIGNAL_STORED } from './signal/stored-german.ts';
import { SKILL_STORED } from './skills/stored-german.ts';
import { SLACK_STORED } from './slack/stored-german.ts';
import { WEB_STORED } from './web/stored-german.ts';

export const FEATURE_STORED: readonly SentencePair[] = [
  ...[...CONSENT_STORED, ...EVENT_STORED, ...JOB_STORED, ...MAIL_STORED, ...MCP_STORED, ...OUTLINE_STORED],
  ...[...PLAN_STORED, ...POLLING_STORED, ...PROVIDER_STORED, ...SIGNAL_STORED, ...SKILL_STORED, ...SLACK_STORED],
  ...WEB_STORED,
];
