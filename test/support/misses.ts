const missOf = (row: unknown, error: unknown): string => {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `${JSON.stringify(row)}: ${reason}`;
};

/**
 * A long table of one rule is one test: this lists the rows that miss, each with the first line of
 * the reason. Expect the list to equal [].
 */
export const missesOf = <const Row>(rows: readonly Row[], check: (row: Row) => void): readonly string[] =>
  rows.flatMap((row) => {
    try {
      check(row);
      return [];
    } catch (error) {
      return [missOf(row, error)];
    }
  });

/** Lists the misses of a check that waits. It checks one row after the other. */
export const missesOfAsync = async <const Row>(
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
): Promise<readonly string[]> => {
  const misses: string[] = [];
  for (const row of rows) await check(row).catch((error: unknown) => misses.push(missOf(row, error)));
  return misses;
};
