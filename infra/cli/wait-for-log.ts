/** Waits until the evidence log has everything that happened until now. */
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { openLog, type StackAccess, wakeLog } from './client.ts';
import type { CommandContext } from './command.ts';
import { pollPauseMs } from './turn.ts';

/** How long a reader waits for the log's writer to take everything that has just happened. */
export const LOG_WAIT_MS = 8 * SECOND_MS;

export interface LogStanding {
  /** Nothing is under way any more, and all that ended has its leaf. */
  readonly isWhole: boolean;
  /** Why the log's writer cannot write: then nothing is waited for. */
  readonly problem?: string;
}

export const waitForLog = async (
  { now, sleep }: Pick<CommandContext, 'now' | 'sleep'>,
  access: StackAccess,
): Promise<LogStanding> => {
  const end = now() + LOG_WAIT_MS;
  for (let looks = 0; now() < end; looks += 1) {
    // Each time: what ends meanwhile wakes nobody.
    await wakeLog(access);
    const { isWaiting, size, leaves, problem } = await openLog(access).standing();
    if (problem !== undefined) return { isWhole: false, problem };
    if (!isWaiting && size === leaves) return { isWhole: true };
    await sleep(pollPauseMs(looks));
  }
  return { isWhole: false };
};
