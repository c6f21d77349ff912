/** Evidence of past signals, newest first. The next page is asked for while one is worked on. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Evidence, EvidencePage } from '../../../lib/core/verbs/signals/signal-evidence.ts';
import { loadEvidencePage, type StackAccess } from '../client.ts';
import { CliError, EXIT } from '../terminal.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30d`, `12h`, `45m` → the moment so long ago. Pure. @throws CliError (exit 2) */
export const parseSince = (text: string, now: number): number => {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined)
    throw new CliError(EXIT.usage, 'a time is a number with m, h or d, such as 45m, 12h or 30d');
  return now - Number(count) * unitMs;
};

/** @param since epoch milliseconds; older signals are not read */
export async function* readPastEvidence(access: StackAccess, since: number): AsyncGenerator<Evidence> {
  const load = (cursor?: string): Promise<EvidencePage> => {
    const page = loadEvidencePage(access, cursor);
    // A failure is thrown when this page is read, and dropped if no caller reads the page.
    page.catch(() => undefined);
    return page;
  };
  for (let next: Promise<EvidencePage> | undefined = load(); next !== undefined; ) {
    const { evidence, cursor }: EvidencePage = await next;
    const recent = evidence.filter(({ receivedAt }) => receivedAt >= since);
    next = cursor === undefined || recent.length < evidence.length ? undefined : load(cursor);
    // The request goes out before the caller works on this page without a pause.
    await nextTurn();
    yield* recent;
  }
}
