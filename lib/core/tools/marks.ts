/** Marks of the lines of a card. Pure. */

/** Marks a line that the card never folds: what is lost, wider, elsewhere, or changed since. */
export type Mark = (line: string) => string;
export const UNMARKED: Mark = (line) => line;

/** Collects the lines that are marked. */
export const collectMarks = (): { readonly marked: readonly string[]; readonly mark: Mark } => {
  const marked: string[] = [];
  return {
    marked,
    mark: (line) => {
      marked.push(line);
      return line;
    },
  };
};
