/**
 * The text of bytes: a mark of byte order decides, then what the bytes were said to be, then
 * whether they are UTF-8. If all fails it is a guess, which readers are told: UTF-8 with broken
 * letters, or Windows-1252, in which any bytes are letters. Never throws.
 */

export interface DecodedText {
  readonly text: string;
  /** Letters beside A to Z may be wrong. */
  readonly isGuess: boolean;
}

/** The readers' words for a guess. */
export const GUESSED = 'it is not UTF-8, so letters beside A to Z may be wrong';

const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** @returns undefined for a name that nobody knows, or a fatal fault */
const decodeAs = (label: string, bytes: Uint8Array, fatal: boolean): string | undefined => {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Stands for bytes that are no letter. */
const BROKEN = 0xfffd;
const ASCII_MAX = 0x7f;

const guess = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes);
  let [broken, whole] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BROKEN) broken += 1;
    else if (code > ASCII_MAX) whole += 1;
  }
  return whole > broken ? text : new TextDecoder('windows-1252').decode(bytes);
};

/** @param said a name of an encoding, such as `iso-8859-1`, by a header or the text itself */
export const decodeText = (bytes: Uint8Array, said?: string): DecodedText => {
  const [marked] = MARKS.find(([, mark]) => mark.every((byte, n) => bytes[n] === byte)) ?? [];
  const label = marked ?? said;
  const text = label === undefined ? undefined : decodeAs(label, bytes, false);
  const found = text ?? decodeAs('utf-8', bytes, true);
  return found === undefined ? { text: guess(bytes), isGuess: true } : { text: found, isGuess: false };
};

/** A page names its own encoding in its first bytes, unless a header did. */
const CHARSET = /<meta[^>]{0,100}charset=["']?([\w-]{1,40})/i;

export const decodePage = (bytes: Uint8Array, said?: string): DecodedText => {
  const [, own] = CHARSET.exec(Buffer.from(bytes.subarray(0, 1024)).toString('latin1')) ?? [];
  return decodeText(bytes, said ?? own);
};
