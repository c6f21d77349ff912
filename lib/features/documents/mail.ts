/**
 * The text of a mail (RFC 5322 and MIME): its headers for people, its words, and its attachments,
 * each named and, if a reader here knows its kind, read. `postal-mime` takes the mail apart.
 * @throws ProtocolError
 */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { decodePage } from '../../core/base/decode-text.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { htmlText } from '../../core/base/html-text.ts';
import { type Collected, collectText, DOCUMENT_CHARS_MAX } from './collect-text.ts';
import { type DocumentKind, documentKind, withoutBlanks } from './document-kind.ts';

/** Parts within one another; honest mails nest some three or four. */
const NESTING_MAX = 20;
/** Mails attached to mails: a forwarded thread. */
const MAIL_DEPTH_MAX = 3;
/** Attachments that are read: each may take its reader seconds. */
const ATTACHMENTS_READ_MAX = 8;
/** Names of people of one header. */
const ADDRESSES_MAX = 50;
const NAME_CHARS_MAX = 300;

export type ReadWithin = (
  bytes: Uint8Array,
  kind: DocumentKind,
  depth: number,
) => Promise<{ readonly text: string } | { readonly why: string }>;

const takeApart = async (bytes: Uint8Array): Promise<Email> => {
  try {
    return await PostalMime.parse(withoutBlanks(bytes), { maxNestingDepth: NESTING_MAX, forceRfc822Attachments: true });
  } catch (error) {
    if (error instanceof Error && /^Maximum/.test(error.message))
      throw new ProtocolError('its parts are nested too deep, or its headers are too long');
    throw error;
  }
};

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const addressText = ({ name, address, group }: Address): string => {
  if (group !== undefined) return `${name}: ${addressesText(group)};`;
  return name === '' || name === address ? (address ?? '') : `${name} <${address}>`;
};

const addressesText = (addresses: readonly Address[]): string => {
  const more = addresses.length - ADDRESSES_MAX;
  const shown = addresses.slice(0, ADDRESSES_MAX).map(addressText).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
};

const headersOf = ({ headers, from, replyTo = [], to = [], cc = [], subject = '' }: Email): string => {
  // As it is written: the zone says where its sender was.
  const date = headers.find(({ key }) => key === 'date')?.value ?? '';
  const shown = {
    From: from === undefined ? '' : addressText(from),
    'Reply-To': addressesText(replyTo),
    To: addressesText(to),
    Cc: addressesText(cc),
    Date: date,
    Subject: subject,
  };
  return Object.entries(shown)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${oneLine(value)}\n`]))
    .join('');
};

/** As mail programs show it: the page if there is one with words, else the plain text. */
const wordsOf = ({ html = '', text = '' }: Email): string => {
  const page = html === '' ? '' : htmlText(html);
  return page.trim() === '' ? text : page;
};

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);

const SIGNATURE = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/;
const LOCKED = /^application\/(?:pgp-encrypted|(?:x-)?pkcs7-mime)$/;
const OUTLOOK = 'application/ms-tnef';
/** Pictures in the page, and what only programs read. */
const isOfTheText = ({ mimeType, related }: Attachment): boolean =>
  SIGNATURE.test(mimeType) || (related === true && mimeType.startsWith('image/'));
const nameOfPart = ({ mimeType }: Attachment): string => (mimeType.startsWith('image/') ? 'picture' : 'signature');
const TEXT = /^(?:text|message)\//;

interface NamedAttachment {
  /** Its name and type, and why it is not read. */
  readonly words: string;
  readonly text: string;
}

const describe = ({ filename, mimeType }: Attachment): string =>
  oneLine(`attachment: ${filename ?? 'without a name'}, ${mimeType}`)
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed();

const readWords = async (one: Attachment, depth: number, read: ReadWithin): ReturnType<ReadWithin> => {
  const { mimeType } = one;
  const bytes = bytesOf(one);
  const kind = mimeType === 'message/rfc822' ? 'mail' : documentKind(bytes);
  if (kind === 'mail' && depth >= MAIL_DEPTH_MAX) return { why: `it is a mail within ${MAIL_DEPTH_MAX + 1} mails` };
  if (kind !== undefined) return read(bytes, kind, depth + 1);
  if (mimeType === OUTLOOK) return { why: 'only Outlook can; ask for the file itself' };
  if (!TEXT.test(mimeType)) return { why: '' };
  const { text } = decodePage(bytes);
  return { text: mimeType === 'text/html' ? htmlText(text) : text };
};

const readAttachments = async (mail: Email, depth: number, read: ReadWithin): Promise<readonly NamedAttachment[]> => {
  const named: NamedAttachment[] = [];
  let [left, chars] = [ATTACHMENTS_READ_MAX, 0];
  for (const one of mail.attachments.filter((each) => !isOfTheText(each))) {
    const words = describe(one);
    const isRoom = left > 0 && chars < DOCUMENT_CHARS_MAX;
    const answer = isRoom ? await readWords(one, depth, read) : { why: 'others before it were' };
    // An attachment that no reader here knows costs nothing.
    if (!('why' in answer) || answer.why !== '') left -= 1;
    if ('why' in answer) {
      const why = answer.why === '' ? '' : `: ${answer.why}`;
      named.push({ words: `${words}, ${bytesOf(one).byteLength} bytes, not read${why}`, text: '' });
    } else {
      named.push({ words, text: answer.text.trim() });
      chars += answer.text.length;
    }
  }
  return named;
};

/** @param depth how many mails it is attached within */
export const mailText = async (bytes: Uint8Array, depth: number, read: ReadWithin): Promise<Collected> => {
  const mail = await takeApart(bytes);
  const words = wordsOf(mail).trim();
  if (words === '' && mail.attachments.some(({ mimeType }) => LOCKED.test(mimeType)))
    throw new ProtocolError('it is encrypted; send its words as your mail program shows them');
  const named = await readAttachments(mail, depth, read);
  return collectText((reading) => {
    for (const one of mail.attachments) if (isOfTheText(one)) reading.leaveOut(nameOfPart(one));
    reading.add(`${headersOf(mail)}\n${words}\n`);
    for (const { words: what, text } of named) reading.add(`\n[${what}]\n${text === '' ? '' : `${text}\n`}`);
  });
};
