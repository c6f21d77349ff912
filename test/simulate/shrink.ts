/**
 * Makes a failing run small: leaves out steps of its story and faults, one after the other, as long
 * as the first broken rule stays broken. What is left is a story that a person can read.
 */
import { type RunOptions, type RunResult, runSchedule } from './run.ts';

/** Runs tried for one failing seed. */
const TRIES_MAX = 300;

export interface Shrunk {
  readonly steps: ReadonlySet<number>;
  readonly faults: ReadonlySet<number>;
  readonly result: RunResult;
}

interface Choice {
  readonly steps: ReadonlySet<number>;
  readonly faults: ReadonlySet<number>;
}

const without = (set: ReadonlySet<number>, taken: readonly number[]): ReadonlySet<number> =>
  new Set([...set].filter((one) => !taken.includes(one)));

/** Halves, quarters … and single members of a set, largest first. */
function* partsOf(set: ReadonlySet<number>): Generator<readonly number[]> {
  const all = [...set];
  for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

export const shrink = async (options: Omit<RunOptions, 'mark' | 'onLine'>, failing: RunResult): Promise<Shrunk> => {
  const broken = failing.violations[0]?.rule;
  let tries = 0;
  let best: Shrunk = {
    steps: new Set(failing.story.keys()),
    faults: new Set(failing.faults),
    result: failing,
  };
  const attempt = async ({ steps, faults }: Choice): Promise<boolean> => {
    tries += 1;
    const result = await runSchedule({ ...options, onlySteps: steps, onlyFaults: faults });
    if (!result.violations.some(({ rule }) => rule === broken)) return false;
    best = { steps, faults: new Set(result.faults), result };
    return true;
  };
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const name of ['faults', 'steps'] as const)
      for (const part of partsOf(best[name])) {
        if (tries >= TRIES_MAX) return best;
        if (part.every((one) => best[name].has(one)) && (await attempt({ ...best, [name]: without(best[name], part) })))
          hasShrunk = true;
      }
  }
  return best;
};
