/**
 * Measures how work grows with its input, as a ratio of two amounts of processor time in the same
 * test. Speed itself is never asserted: another machine is slower. Time in which other programs
 * have the processor does not count, and of several runs the cheapest counts on both sides.
 */
const RUNS = 3;
/**
 * How much larger the larger work is. Linear work takes about as many times as long, quadratic work
 * its square (256).
 */
const FACTOR = 16;
/** About linear work stays far below this ratio; worse work exceeds it. */
export const GROWTH_MAX = 150;
/** Below this the compiler and the collector say more than the work does, microseconds. */
const SHORTEST_US = 1_000;

const processorUs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

const cheapestUs = async (work: () => unknown): Promise<number> => {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const before = processorUs();
    await work();
    cheapest = Math.min(cheapest, processorUs() - before);
  }
  return Math.max(cheapest, SHORTEST_US);
};

/** Tells how many times longer `work` takes on `size` than on a sixteenth of it. */
export const growthOf = async (size: number, work: (size: number) => unknown): Promise<number> => {
  const smaller = await cheapestUs(() => work(Math.ceil(size / FACTOR)));
  return (await cheapestUs(() => work(size))) / smaller;
};
