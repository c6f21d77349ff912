/** Reads a mail of the mailbox: its head, its words and the list of its files, but no file. */
import type { ImapFlow, MessageStructureObject } from 'imapflow';
import { splitHtml } from './html.ts';
import { collect } from './imap.ts';
import { HEAD_CHARS_MAX, MAIL_FILES_MAX, MAIL_TEXT_CHARS_MAX, type MailUpdate } from './update.ts';

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
