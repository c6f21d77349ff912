/** The longest strictly rising run of numbers, gaps allowed: the children that can stay while the others move. Pure, n log n. */

/** @param values `undefined` never belongs to the run. Gives positions. */
export const longestRise = (values: readonly (number | undefined)[]): ReadonlySet<number> => {
  /** At n: position of the smallest value that ends a run of n + 1. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [position, value] of values.entries()) {
    if (value === undefined) continue;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? -1] ?? Number.POSITIVE_INFINITY) < value) low = middle + 1;
      else high = middle;
    }
    previous[position] = low === 0 ? undefined : ends[low - 1];
    ends[low] = position;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) run.add(at);
  return run;
};
