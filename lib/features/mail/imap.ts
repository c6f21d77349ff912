/**
 * The owner's mailbox, by IMAP (RFC 9051). It is opened for reading alone, so nothing in it is
 * deleted, moved or marked as read.
 */
import { createRequire } from 'node:module';
import type { ImapFlow } from 'imapflow';
import { ProtocolError, UnavailableError } from '../../core/base/errors.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import type { MailServer } from './server.ts';
import { placeOfFile } from './update.ts';

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
  // Its packages ask for Node's own modules in the old way, which a bundle does not have.
  globalThis.require ??= createRequire(import.meta.url);
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
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

/** @throws ProtocolError if there are more bytes */
export const collect = async (content: AsyncIterable<unknown>, bytesMax: number): Promise<Buffer<ArrayBuffer>> => {
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
