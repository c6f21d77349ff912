/** Bounds that the files of `infra` share: a name ends in its unit, a comment gives the reason for the number. */
import { SECOND_MS } from '../lib/base/limits.ts';

/** Ingress answers within the time Telegram and webhook senders wait; the store is two calls away. */
export const INGRESS_TIMEOUT_MS = 15 * SECOND_MS;
/** Ten records stored and reported. */
export const DEAD_LETTER_TIMEOUT_MS = 30 * SECOND_MS;
/** The heartbeat's own schedule in the cloud is a minute; faster ticks are only for a local stack. */
export const HEARTBEAT_INTERVAL_S_DEFAULT = 60;
