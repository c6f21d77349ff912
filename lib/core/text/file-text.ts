/**
 * A text that is sent as a file where a channel has files: its first line names the file. It is
 * judged, shown and stored as any text, so every rule about texts reads the name and all of the
 * content. A picture or a document is named by its hash, and its bytes lie in the store of
 * contents. Pure.
 */
import { textHash } from '../base/text-hash.ts';
import { type StoredFile, storedIn } from '../signal/picture.ts';

/** Text, of which a browser may run parts: `drawing.ts` says which may be sent. */
export const DRAWING = 'image/svg+xml';
/** Of all but office files and EPUB, which are zip. */
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  svg: DRAWING,
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};
/** Plain letters: no path, and nothing that shows as another name. */
export const FILE_NAME = /^\w[\w ()-]{0,58}\.(md|txt|csv|svg|png|jpg|webp|pdf|docx|xlsx|pptx|od[tsp]|epub)$/;
const FORM = /^\[file (.{1,64})\]\n([\s\S]+)$/;

/**
 * Template of the one file that code writes: the receipt that a person asked for. Any other text of
 * code is shown as it stands, since it may hold words of others.
 */
export const RECEIPT = 'receipt';

export interface FileText {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  /** The content only names it. */
  readonly stored?: StoredFile;
}

export const buildFileText = (name: string, content: string): string => `[file ${name}]\n${content}`;

/** @returns undefined for an ordinary text */
export const fileIn = (text = ''): FileText | undefined => {
  const [, name = '', content = ''] = FORM.exec(text) ?? [];
  const [, ending] = FILE_NAME.exec(name) ?? [];
  if (ending === undefined) return undefined;
  const type = TYPES[ending] ?? 'application/zip';
  if (type.startsWith('text/') || type === DRAWING) return { name, content, type };
  const stored = storedIn(content);
  return stored?.words === content && stored.type === type ? { name, content, type, stored } : undefined;
};

/** Size, type and hash of a file, as its card shows them. */
export const fileWords = ({ name, type, content, stored }: FileText): string => {
  const { bytes, hash } = stored ?? { bytes: Buffer.byteLength(content), hash: textHash(content) };
  return `${name} (${bytes === undefined ? '' : `${bytes} bytes, `}${type}, SHA-256 ${hash})`;
};
