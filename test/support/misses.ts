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
      const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
      return [`${JSON.stringify(row)}: ${reason}`];
    }
  });
