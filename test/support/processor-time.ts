/** What a process took of the processors, as the kernel counts it. */
import { readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

/** Processor seconds of a process and of its children that have ended; 0 without `/proc`. */
export const spentBy = (pid: number | 'self'): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
};
