/**
 * The owner's mailbox, read by IMAP (RFC 9051). It is opened for reading alone, so nothing in it is
 * deleted, moved or marked as read. Of a mail only its head, its words and the list of its files
 * are fetched; a file when it is read.
 */
import { ImapFlow, type MessageStructureObject } from 'imapflow';
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import { splitHtml } from './html.ts';
import type { MailServer } from './server.ts';
import { HEAD_CHARS_MAX, MAIL_FILES_MAX, MAIL_TEXT_CHARS_MAX, type MailUpdate, placeOfFile } from './update.ts';

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;
/** Silence after which a connection counts as dead, beside the pause between two looks. */
const SILENCE_MS_MAX = 30 * SECOND_MS;
/** Bytes of one answer of the server: the list of a mail's parts, or a block of a file. */
const ANSWER_BYTES_MAX = 4_000_000;

/**
 * @param pauseMs longest between two calls
 * @throws Error of `imapflow`; `authenticationFailed` if the server refuses the login
 */
export const openMailbox = async (
  { host, port, secure, mustUpgrade, user }: MailServer,
  password: string,
  pauseMs = 0,
): Promise<ImapFlow> => {
  const client = new ImapFlow({
    ...{ host, port, secure, auth: { user, pass: password }, logger: false, disableAutoIdle: true },
    ...{
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS_MAX + pauseMs,
    },
    ...{ doSTARTTLS: secure ? undefined : mustUpgrade, maxResponseSize: ANSWER_BYTES_MAX },
  });
  // A connection that breaks between two calls is told by the next call.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.mailboxOpen('INBOX', { readOnly: true });
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
};

const leavesOf = (node: MessageStructureObject): readonly MessageStructureObject[] =>
  node.type.startsWith('multipart/') ? (node.childNodes ?? []).flatMap(leavesOf) : [node];

/** Parts that only programs read. */
const FOR_PROGRAMS = /^(?:application\/(?:pgp-signature|(?:x-)?pkcs7-signature|ms-tnef)|message\/delivery-status)$/;

const nameOf = ({ dispositionParameters, parameters }: MessageStructureObject): string =>
  dispositionParameters?.filename ?? parameters?.name ?? '';
const isFile = (node: MessageStructureObject): boolean =>
  node.disposition === 'attachment' || nameOf(node) !== '' || !/^text\/(?:plain|html)$/.test(node.type);

/** Three of four bytes of base64 are the file's. */
const sizeOf = ({ size = 0, encoding }: MessageStructureObject): number =>
  encoding?.toLowerCase() === 'base64' ? Math.floor((size * 3) / 4) : size;

const collect = async (content: AsyncIterable<unknown>, bytesMax: number): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    const given = Buffer.from(chunk as Uint8Array);
    bytes += given.byteLength;
    if (bytes > bytesMax) throw new ProtocolError(`it has more than ${bytesMax / 1_000_000} MB`);
    chunks.push(given);
  }
  return Buffer.concat(chunks);
};

const wordsOf = async (client: ImapFlow, uid: number, part: string | undefined): Promise<string | undefined> => {
  if (part === undefined) return undefined;
  const { content } = await client.download(String(uid), part, { uid: true, maxBytes: MAIL_TEXT_CHARS_MAX });
  if (content === undefined) return undefined;
  // A decoder may give more bytes than were asked for. Marks that no person types take six in JSON.
  const text = (await collect(content, 8 * MAIL_TEXT_CHARS_MAX)).toString('utf8');
  return text
    .replace(/[^\P{Cc}\n\r\t]/gu, ' ')
    .slice(0, MAIL_TEXT_CHARS_MAX)
    .toWellFormed();
};

const withoutMarks = (text: string, charsMax: number): string =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, charsMax)
    .toWellFormed();

const wordsOfPage = (html: string): Pick<MailUpdate, 'plain' | 'quoted'> => {
  const { plain, quoted } = splitHtml(html);
  return { plain: plain.slice(0, MAIL_TEXT_CHARS_MAX), quoted: quoted.slice(0, MAIL_TEXT_CHARS_MAX) };
};

/** @returns undefined if the mail is gone */
export const readMail = async (client: ImapFlow, uid: number): Promise<MailUpdate | undefined> => {
  const query = { uid: true, internalDate: true, bodyStructure: true, headers: true };
  const mail = await client.fetchOne(String(uid), query, { uid: true });
  if (mail === false || client.mailbox === false || mail.bodyStructure === undefined) return undefined;
  const leaves = leavesOf(mail.bodyStructure).map((one) => ({ ...one, part: one.part ?? '1' }));
  const textOf = (type: string) => leaves.find((one) => one.type === type && !isFile(one))?.part;
  const [plain, html] = [textOf('text/plain'), textOf('text/html')];
  const words = await wordsOf(client, uid, plain);
  const isPlain = words !== undefined && words.trim() !== '';
  return {
    validity: Number(client.mailbox.uidValidity),
    uid,
    at: new Date(mail.internalDate ?? 0).getTime(),
    head: mail.headers?.toString('utf8').slice(0, HEAD_CHARS_MAX).toWellFormed() ?? '',
    ...(isPlain ? { plain: words } : wordsOfPage((await wordsOf(client, uid, html)) ?? '')),
    files: leaves
      .filter((one) => isFile(one) && !FOR_PROGRAMS.test(one.type))
      .slice(0, MAIL_FILES_MAX)
      .map((one) => ({
        part: one.part,
        name: withoutMarks(nameOf(one), 256),
        type: withoutMarks(one.type, 128),
        bytes: sizeOf(one),
      })),
  };
};

/** @param file as `parse-mail.ts` names it. @throws ProtocolError, UnavailableError (retryable) */
export const fetchMailFile = async (
  server: MailServer,
  password: string,
  file: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const place = placeOfFile(file);
  if (place === undefined) throw new ProtocolError('this is no file of a mail');
  let client: ImapFlow | undefined;
  try {
    client = await openMailbox(server, password);
    if (client.mailbox === false || Number(client.mailbox.uidValidity) !== place.validity)
      throw new ProtocolError('the mailbox was made anew since this mail came');
    const { content } = await client.download(String(place.uid), place.part, { uid: true, decodeText: false });
    if (content === undefined) throw new ProtocolError('the mail or its file is gone from the mailbox');
    return new Uint8Array(await collect(content, bytesMax));
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new UnavailableError('the mailbox did not give the file; send it again later');
  } finally {
    client?.close();
  }
};
