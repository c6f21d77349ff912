/**
 * Runs before each test file: notes the processor time that the file takes, with the processes that
 * it started and that have ended, and how many stacks it started (`tell-cost.ts` tells them).
 */
import { afterAll } from 'vitest';
import { spentBy } from './processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    cost?: Cost;
  }
}

export interface Cost {
  /** Processor seconds. */
  readonly cpuS: number;
  readonly stacks: number;
}

declare global {
  /** Since the file before ended in this process, so that loading a file counts as its own. */
  var costNoted: Cost | undefined;
  var stacksStarted: number | undefined;
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it which fixtures are wanted.
afterAll(({}, suite) => {
  const before = globalThis.costNoted ?? { cpuS: 0, stacks: 0 };
  const now = { cpuS: spentBy('self'), stacks: globalThis.stacksStarted ?? 0 };
  globalThis.costNoted = now;
  suite.file.meta.cost = { cpuS: now.cpuS - before.cpuS, stacks: now.stacks - before.stacks };
});
