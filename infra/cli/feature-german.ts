/** German of features on the command line. `sentences-german.ts` alone imports this list. */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';
import { LOGIN } from '../features/consent/german.ts';
import { DOOR_FINDINGS } from '../features/door/german.ts';
import { MAIL_SETUP } from '../features/mail/german.ts';
import { NOTES_SYNC } from '../features/notes/german.ts';
import { CEDAR, POLICY_SETUP } from '../features/policy/cedar-german.ts';
import { PROVIDER_KEYS } from '../features/providers/german.ts';
import { PROGRAMS } from '../features/responses/german.ts';
import { SIGNAL_WORDS } from '../features/signal/german.ts';
import { SLACK_LINES } from '../features/slack/german.ts';
import { TRACES } from '../features/traces/german.ts';
import { SEARCH_SETUP } from '../features/web/german.ts';
import { WEBHOOK_PLACES, WEBHOOK_SETUP } from '../features/webhooks/german.ts';

export const FEATURE_SENTENCES: readonly SentencePair[] = [
  ...POLICY_SETUP,
  ...LOGIN,
  ...PROVIDER_KEYS,
  ...SEARCH_SETUP,
  ...WEBHOOK_SETUP,
  ...NOTES_SYNC,
  ...SIGNAL_WORDS,
  ...SLACK_LINES,
  ...PROGRAMS,
  ...MAIL_SETUP,
  ...TRACES,
  ...DOOR_FINDINGS,
];
/** Known within other sentences alone. */
export const FEATURE_PARTS: readonly SentencePair[] = [...CEDAR, ...WEBHOOK_PLACES];
