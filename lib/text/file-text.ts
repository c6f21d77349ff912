/**
 * A text that is sent as a file where a channel has files: its first line names the file. It is
 * judged, shown and stored as any text, so every rule about texts reads the name and all of the
 * content. Pure.
 */
import { textHash } from '../base/text-hash.ts';

const TYPES: Readonly<Record<string, string>> = { md: 'text/markdown', csv: 'text/csv' };
/** Plain letters: no path, and nothing that shows as another name. */
export const FILE_NAME = /^\w[\w ()-]{0,58}\.(md|txt|csv)$/;
const FORM = /^\[file (.{1,64})\]\n([\s\S]+)$/;

export interface FileText {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

export const buildFileText = (name: string, content: string): string => `[file ${name}]\n${content}`;

/** @returns undefined for an ordinary text */
export const fileIn = (text = ''): FileText | undefined => {
  const [, name = '', content = ''] = FORM.exec(text) ?? [];
  const [, ending = ''] = FILE_NAME.exec(name) ?? [];
  return ending === '' ? undefined : { name, content, type: TYPES[ending] ?? 'text/plain' };
};

/** Size, type and hash of a file, as its card shows them. */
export const fileWords = ({ name, type, content }: FileText): string =>
  `${name} (${Buffer.byteLength(content)} bytes, ${type}, SHA-256 ${textHash(content)})`;
