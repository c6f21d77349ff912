/** The settings of features. `store/settings.ts` alone imports this list. */
import { MCP_DOOR_SETTINGS } from './door/settings.ts';
import { TELEGRAM_SETTINGS } from './telegram/settings.ts';

export const FEATURE_SETTINGS = { ...TELEGRAM_SETTINGS, ...MCP_DOOR_SETTINGS } as const;
