/**
 * A picture or a document as the result of reading it names it: the type by its first bytes, and
 * the SHA-256 of its bytes, which lie in the store of contents. A picture is nothing but this name;
 * below that of a document stands its text. Pure.
 */
export interface Picture {
  readonly type: string;
  readonly hash: string;
}

export interface StoredFile extends Picture {
  /** Of a document alone. */
  readonly bytes: number | undefined;
  /** The name. */
  readonly words: string;
}

/** A long output begins with a line about itself. */
const NAME =
  /^(?:\(\d+ characters[^\n]*\n)?(\[a (?:picture|document), (\w+\/\w+)(?:, (\d{1,8}) bytes)?, ([0-9a-f]{64})\])/;

/** The file that an output begins to name. */
export const storedIn = (output: string): StoredFile | undefined => {
  const [, words, type, bytes, hash] = NAME.exec(output) ?? [];
  return words && type && hash ? { words, type, hash, bytes: bytes ? Number(bytes) : undefined } : undefined;
};

export const pictureWords = ({ type, hash }: Picture): string => `[a picture, image/${type}, ${hash}]`;

export const pictureIn = (output: string): Picture | undefined => {
  const { words, type = '', hash = '' } = storedIn(output) ?? {};
  return words === output && type.startsWith('image/') ? { type: type.slice('image/'.length), hash } : undefined;
};

export const documentWords = (type: 'pdf' | 'zip' | 'rtf' | 'mail', bytes: number, hash: string): string =>
  `[a document, ${type === 'mail' ? 'message/rfc822' : `application/${type}`}, ${bytes} bytes, ${hash}]`;
