/** The settings of features. `store/settings.ts` alone imports this list. */
import { MAIL_SETTINGS } from './mail/settings.ts';
import { TELEGRAM_SETTINGS } from './telegram/settings.ts';

export const FEATURE_SETTINGS = { ...TELEGRAM_SETTINGS, ...MAIL_SETTINGS } as const;
