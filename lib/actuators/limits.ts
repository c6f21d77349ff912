/** Bounds that the files of `lib/actuators` share: a name ends in its unit, a comment gives the reason for the number. */
import { SECOND_MS } from '../base/limits.ts';

/** Telegram and outgoing webhook calls. */
export const TELEGRAM_TIMEOUT_MS = 15 * SECOND_MS;
/** Telegram's limit for one message, in UTF-16 units. */
export const TELEGRAM_TEXT_UNITS_MAX = 4_096;
