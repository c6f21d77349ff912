/** The settings of features. `store/settings.ts` alone imports this list. */
import { MAIL_SETTINGS } from './mail/settings.ts';
import { SIGNAL_SETTINGS } from './signal/settings.ts';
import { SLACK_SETTINGS } from './slack/settings.ts';
import { TELEGRAM_SETTINGS } from './telegram/settings.ts';

export const FEATURE_SETTINGS = {
  ...TELEGRAM_SETTINGS,
  ...SLACK_SETTINGS,
  ...SIGNAL_SETTINGS,
  ...MAIL_SETTINGS,
} as const;
