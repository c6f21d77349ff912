/** The known word a mistyped one was probably meant to be. Pure. */

const distance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const swap = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(
        Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + swap),
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
};

/** @returns undefined when nothing is near enough to be meant. */
export const nearest = (typed: string, known: readonly string[]): string | undefined => {
  const word = typed.slice(0, 32).toLowerCase();
  const ranked = known
    .map((candidate) => ({
      candidate,
      away: candidate.startsWith(word) && word.length > 1 ? 0 : distance(word, candidate),
    }))
    .sort((left, right) => left.away - right.away);
  const [best] = ranked;
  return best !== undefined && best.away <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined;
};
