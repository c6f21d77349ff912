/** The lines of a card's text by which a channel folds it, and finds its file. Pure. */

/**
 * The line from which on a channel folds a card, in each language of cards. Code begins each line
 * before it otherwise.
 */
const FOLD_LINE =
  /^(?:Details(?: \(waits for your yes until [^)\n]*\))?|Einzelheiten(?: \(wartet bis [^)\n]* auf ein Ja\))?):$/m;

/** The offset of the folded part; -1 without one. */
export const foldAt = (text: string): number => text.search(FOLD_LINE);

const FILE_LINE =
  /^(?:All of it is in the file|Alles steht in der Datei) (card-[0-9a-f]+\.txt), SHA-256 ([0-9a-f]{64})$/m;

/** The file that a card's text names. */
export const cardFileIn = (text: string): { readonly name: string; readonly sha256: string } | undefined => {
  const [, name, sha256] = FILE_LINE.exec(text) ?? [];
  return name === undefined || sha256 === undefined ? undefined : { name, sha256 };
};
