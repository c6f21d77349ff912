/**
 * Tests that look at what was spent today, by the machine's own clock, begin where the day does not
 * end under them: within the last minutes before midnight (UTC) they wait for the next day.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 24 * 3_600_000;
/** Longer than any of those tests takes, and shorter than a hook may. */
const AHEAD_MS = 3 * 60_000;

/** Comes back at once but for the last minutes of a day. */
export const passDayEnd = async (): Promise<void> => {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < AHEAD_MS) await sleep(leftMs + 1_000);
};
