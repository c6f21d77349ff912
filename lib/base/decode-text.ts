/**
 * The text of bytes whose encoding nobody vouches for: a mark of byte order decides, then what the
 * bytes were said to be, then whether they are UTF-8. All else is read as Windows-1252, in which
 * any bytes are letters, and the reader is told that it was a guess. Never throws.
 */

export interface DecodedText {
  readonly text: string;
  /** Letters beside A to Z may be wrong. */
  readonly isGuess: boolean;
}

/** What the readers say of a guess. */
export const GUESSED = 'it is not UTF-8, so letters beside A to Z may be wrong';

const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** @returns undefined for a name that nobody knows, or bytes that are something else */
const decodeAs = (label: string, bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** @param said a name of an encoding, such as `iso-8859-1`, by a header or the text itself */
export const decodeText = (bytes: Uint8Array, said?: string): DecodedText => {
  const [marked] = MARKS.find(([, mark]) => mark.every((byte, n) => bytes[n] === byte)) ?? [];
  for (const label of [marked, said, 'utf-8']) {
    const text = label === undefined ? undefined : decodeAs(label, bytes);
    if (text !== undefined) return { text, isGuess: false };
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), isGuess: true };
};
