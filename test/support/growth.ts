/**
 * Measures how work grows with its input, as a ratio of two durations in the same test.
 * Speed itself is never asserted: another machine is slower, and this one pauses. The fastest of
 * several runs counts on both sides, so that a pause in one of them says nothing.
 */
const RUNS = 3;
/**
 * How much larger the larger work is. Linear work takes about as many times as long, quadratic work
 * its square (256).
 */
const FACTOR = 16;
/** About linear work stays far below this ratio; worse work exceeds it. */
export const GROWTH_MAX = 150;
/** Below this the clock and the collector say more than the work does, milliseconds. */
const SHORTEST_MS = 1;

const fastestMs = async (work: () => unknown): Promise<number> => {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - startedAt);
  }
  return Math.max(fastest, SHORTEST_MS);
};

/** Tells how many times longer `work` takes on `size` than on a sixteenth of it. */
export const growthOf = async (size: number, work: (size: number) => unknown): Promise<number> => {
  const smaller = await fastestMs(() => work(Math.ceil(size / FACTOR)));
  return (await fastestMs(() => work(size))) / smaller;
};
