/** The settings of features. `store/settings.ts` alone imports this list. */
import { TELEGRAM_SETTINGS } from './telegram/settings.ts';

export const FEATURE_SETTINGS = { ...TELEGRAM_SETTINGS } as const;
