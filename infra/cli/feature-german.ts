/** German of features on the command line. `sentences-german.ts` alone imports this list. */
import type { SentencePair } from '../../lib/core/language/sentence-speaker.ts';
import { MAIL_SETUP } from '../features/mail/german.ts';
import { NOTES_SYNC } from '../features/notes/german.ts';
import { CEDAR, POLICY_SETUP } from '../features/policy/cedar-german.ts';
import { PROVIDER_KEYS } from '../features/providers/german.ts';
import { TRACES } from '../features/traces/german.ts';
import { SEARCH_SETUP } from '../features/web/german.ts';
import { WEBHOOK_PLACES, WEBHOOK_SETUP } from '../features/webhooks/german.ts';

export const FEATURE_SENTENCES: readonly SentencePair[] = [
  ...POLICY_SETUP,
  ...PROVIDER_KEYS,
  ...SEARCH_SETUP,
  ...WEBHOOK_SETUP,
  ...NOTES_SYNC,
  ...MAIL_SETUP,
  ...TRACES,
];
/** Known within other sentences alone. */
export const FEATURE_PARTS: readonly SentencePair[] = [...CEDAR, ...WEBHOOK_PLACES];
