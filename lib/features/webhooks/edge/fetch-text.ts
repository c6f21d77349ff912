/** Gets what a sender's scheme needs to verify it, such as a certificate. */
import { UnavailableError } from '../../../core/base/errors.ts';
import { KIB, SECOND_MS } from '../../../core/base/limits.ts';
import { buildOutgoingFetch } from '../../../core/http/outgoing.ts';

/** A chain of certificates has a few KB. */
const TEXT_BYTES_MAX = 64 * KIB;
/** The sender waits for its answer meanwhile. */
const FETCH_MS_MAX = 5 * SECOND_MS;
/** Senders change their certificate once a year. */
const TEXTS_KEPT_MAX = 8;

/** Keeps the newest texts of addresses without a query: each event names its certificate. */
export const buildFetchText = (): ((url: string) => Promise<string>) => {
  const fetch = buildOutgoingFetch({ peer: 'the sender of a webhook', bytesMax: TEXT_BYTES_MAX });
  const kept = new Map<string, string>();
  return async (url) => {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS_MAX) }).catch(() => undefined);
    if (response?.status !== 200) throw new UnavailableError('the sender of a webhook');
    const text = await response.text();
    if (url.includes('?')) return text;
    const [oldest] = kept.keys();
    if (kept.size >= TEXTS_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    kept.set(url, text);
    return text;
  };
};
