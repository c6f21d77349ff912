/** How far two words are apart: tells which name a misspelt one probably meant. Pure. */

/** Letters to change, add, leave out or swap with the next, to make one word the other. */
export const distance = (left: string, right: string): number => {
  let before: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const changed = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwap = column > 0 && row > 0 && letter === right[column - 1] && left[row - 1] === other;
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : changed;
      current.push(Math.min(changed, swapped, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    before = previous;
    previous = current;
  }
  return previous.at(-1) ?? 0;
};

/** The known word that a mistyped one was probably meant to be, if one is near enough. */
export const nearest = (typed: string, known: readonly string[]): string | undefined => {
  const word = typed.slice(0, 32).toLowerCase();
  const isStart = (candidate: string): boolean => word.length > 1 && candidate.startsWith(word);
  const [best] = known
    .map((candidate) => ({ candidate, away: isStart(candidate) ? 0 : distance(word, candidate) }))
    .sort((left, right) => left.away - right.away);
  return best !== undefined && best.away <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined;
};

/** The end of a sentence about an unknown word; empty if no known one is near enough. */
export const sayMeant = (typed: string, known: readonly string[]): string => {
  // Everything resembles a name of one or two letters.
  const meant = typed.length > 2 ? nearest(typed, known) : undefined;
  return meant === undefined ? '' : `: did you mean ${meant}?`;
};
