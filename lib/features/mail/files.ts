/** The files of a mail that goes out: those that an action sends, and all of a long card. */
import { hash } from 'node:crypto';
import { cardFileIn } from '../../core/approvals/card-marks.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { type Language, spokenLanguage, USUAL_LANGUAGE } from '../../core/base/language.ts';
import type { LoadCard, LoadFile } from '../../core/channels/channel.ts';
import type { Action } from '../../core/signal/action.ts';
import { fileIn, RECEIPT } from '../../core/text/file-text.ts';

export interface MailFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: string | Buffer;
}

export const languageIn = ({ language = '' }: Action): Language => spokenLanguage(language) ?? USUAL_LANGUAGE;

/** The file in place of the text; undefined for an ordinary text. @throws PassepartoutError */
export const fileOf = async ({ author, template, text }: Action, loadFile: LoadFile): Promise<MailFile | undefined> => {
  const file = author === 'code' && template !== RECEIPT ? undefined : fileIn(text);
  if (file === undefined) return undefined;
  const { name: filename, type: contentType, content, stored } = file;
  if (stored === undefined) return { filename, contentType, content };
  const bytes = await loadFile(stored.hash);
  if (bytes === undefined) throw new ProtocolError('the file is gone: one is kept for 30 days, or until forgotten');
  if (stored.bytes !== undefined && stored.bytes !== bytes.byteLength)
    throw new ProtocolError(`the file has ${bytes.byteLength} bytes, and its card said ${stored.bytes}`);
  return { filename, contentType, content: Buffer.from(bytes) };
};

/** The whole card; undefined if the text is all of it. @throws PassepartoutError */
export const cardFileOf = async (action: Action, loadCard: LoadCard): Promise<MailFile | undefined> => {
  const { author, card = '', text = '' } = action;
  const named = author === 'code' && card !== '' ? cardFileIn(text) : undefined;
  if (named === undefined) return undefined;
  const content = await loadCard(card, languageIn(action));
  if (content === undefined || hash('sha256', content) !== named.sha256)
    throw new ProtocolError('the file of the card is not the one that its text names');
  return { filename: named.name, contentType: 'text/plain', content };
};
