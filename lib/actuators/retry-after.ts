/** Reads a `Retry-After` header (RFC 9110: seconds or a date) as milliseconds from `now`, cut to a sane length. Pure. */
import { MINUTE_MS } from '../base/limits.ts';

/** Longest `Retry-After` of a webhook's receiver that is obeyed: a longer one is cut to this, so that an effect still ends. */
export const WEBHOOK_RETRY_AFTER_MS_MAX = 15 * MINUTE_MS;

const SECOND_MS = 1000;
const SECONDS = /^\d{1,9}$/;
/** The one date form senders may use: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const waitMs = (header: string, now: number): number => {
  if (SECONDS.test(header)) return Number(header) * SECOND_MS;
  return HTTP_DATE.test(header) ? Date.parse(header) - now : Number.NaN;
};

/** `undefined` when there is no header or it makes no sense. */
export const parseRetryAfter = (header: string | undefined, now: number): number | undefined => {
  const ms = waitMs(header?.trim() ?? '', now);
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), WEBHOOK_RETRY_AFTER_MS_MAX);
};
