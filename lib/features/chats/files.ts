/** The file that goes with a text: of a tool, of a card, or all of a text that is too long. */
import { hash } from 'node:crypto';
import { cardFileIn } from '../../core/approvals/card-marks.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import type { LoadCard, LoadFile } from '../../core/channels/channel.ts';
import type { Action } from '../../core/signal/action.ts';
import { fileIn, RECEIPT } from '../../core/text/file-text.ts';
import { languageNamed } from './buttons.ts';

export interface Sendable {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** All of a text that is too long for messages. */
export const buildWhole = ({ author, text = '' }: Action): Sendable =>
  author === 'model'
    ? { name: 'answer.md', type: 'text/markdown', content: text }
    : { name: 'answer.txt', type: 'text/plain', content: text };

/** The file that an action sends; undefined if it sends a text. @throws PassepartoutError */
export const fileOf = async (
  { author, template, text }: Action,
  loadFile: LoadFile | undefined,
): Promise<Sendable | undefined> => {
  const file = author === 'code' && template !== RECEIPT ? undefined : fileIn(text);
  if (file?.stored === undefined) return file;
  const { hash, bytes } = file.stored;
  const content = await loadFile?.(hash);
  if (content === undefined) throw new ProtocolError('the file is gone: one is kept for 30 days, or until forgotten');
  if (bytes !== undefined && bytes !== content.byteLength)
    throw new ProtocolError(`the file has ${content.byteLength} bytes, and its card said ${bytes}`);
  return { ...file, content };
};

/** The file of a card that is too long for one message. @throws PassepartoutError */
export const cardFileOf = async (
  { author, card, text = '', edits, language }: Action,
  loadCard: LoadCard | undefined,
): Promise<Sendable | undefined> => {
  const named = author === 'code' && card !== undefined && edits === undefined ? cardFileIn(text) : undefined;
  if (named === undefined) return undefined;
  const content = await loadCard?.(card ?? '', languageNamed(language));
  if (content === undefined || hash('sha256', content) !== named.sha256)
    throw new ProtocolError('the file of the card is not the one that its text names');
  return { name: named.name, type: 'text/plain', content };
};
