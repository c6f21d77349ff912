/**
 * The answer to a source that is over its quota: a sender that tries again does so when its day
 * begins anew. Pure.
 */
import { type HttpResponse, respondJson } from './function-url.ts';

/** @param at when its day begins anew, and `now`: epoch milliseconds */
export const respondTooMany = (limit: number, at: number, now: number): HttpResponse => {
  const message = `this source has sent all ${limit} events of today; it begins anew at 00:00 UTC`;
  const headers = { 'retry-after': String(Math.ceil((at - now) / 1000)) };
  return respondJson(429, { error: { code: 'too-many', message } }, headers);
};
