/**
 * A text that is sent as a file where a channel has files: its first line names the file. It is
 * judged, shown and stored as any text, so every rule about texts reads the name and all of the
 * content. A picture is named by its hash, and its bytes lie in the store of contents. Pure.
 */
import { textHash } from '../base/text-hash.ts';
import { type Picture, pictureIn } from '../signal/picture.ts';

const TYPES: Readonly<Record<string, string>> = { md: 'text/markdown', csv: 'text/csv' };
/** Plain letters: no path, and nothing that shows as another name. */
export const FILE_NAME = /^\w[\w ()-]{0,58}\.(md|txt|csv|png|jpg|webp)$/;
const PICTURES: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', webp: 'webp' };
const FORM = /^\[file (.{1,64})\]\n([\s\S]+)$/;

export interface FileText {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  /** The content only names it. */
  readonly picture?: Picture;
}

export const buildFileText = (name: string, content: string): string => `[file ${name}]\n${content}`;

/** @returns undefined for an ordinary text */
export const fileIn = (text = ''): FileText | undefined => {
  const [, name = '', content = ''] = FORM.exec(text) ?? [];
  const [, ending = ''] = FILE_NAME.exec(name) ?? [];
  if (ending === '') return undefined;
  const kind = PICTURES[ending];
  const picture = pictureIn(content);
  if (kind === undefined) return { name, content, type: TYPES[ending] ?? 'text/plain' };
  return picture?.type === kind ? { name, content, type: `image/${kind}`, picture } : undefined;
};

/** Size, type and hash of a file, as its card shows them. */
export const fileWords = ({ name, type, content, picture }: FileText): string =>
  picture === undefined
    ? `${name} (${Buffer.byteLength(content)} bytes, ${type}, SHA-256 ${textHash(content)})`
    : `${name} (${type}, SHA-256 ${picture.hash})`;
