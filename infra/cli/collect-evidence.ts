/**
 * Reads the evidence of past signals from a stack, newest first, back to a moment: page by page through the list, a few
 * signals at once. A signal that vanished in between is left out.
 */
import { EVIDENCE_REQUESTS_MAX, FEED_LIMIT_MAX } from '../../lib/limits.ts';
import type { Evidence } from '../../lib/pipeline/explain/evidence.ts';
import type { Client } from './client.ts';
import { CliError, EXIT } from './exit-codes.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30d`, `12h`, `45m` → the moment so long ago, epoch milliseconds. Pure. @throws CliError (exit 2) */
export const parseSince = (text: string, now: number): number => {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined)
    throw new CliError(EXIT.usage, 'a time is a number with m, h or d, such as 45m, 12h or 30d');
  return now - Number(count) * unitMs;
};

/** @param since epoch milliseconds: older signals are not read. */
export async function* collectEvidence(client: Client, since: number): AsyncGenerator<Evidence> {
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(FEED_LIMIT_MAX), ...(cursor === undefined ? {} : { cursor }) });
    const page = await client.signals(query);
    const ids = page.signals.filter(({ receivedAt }) => receivedAt >= since).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += EVIDENCE_REQUESTS_MAX)
      yield* await Promise.all(ids.slice(at, at + EVIDENCE_REQUESTS_MAX).map((id) => client.evidence(id)));
    cursor = ids.length < page.signals.length ? undefined : page.cursor;
  } while (cursor !== undefined);
}
