/**
 * A mailbox and a way out, by the servers of others: `hoodiecrow-imap` keeps to RFC 3501, and
 * `smtp-server` to RFC 5321. Faults are put below them: connections that end, answers that are
 * lost, and a mailbox that is made anew.
 */
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import hoodiecrow from 'hoodiecrow-imap';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export const AGENT = 'agent@agent.example';
export const PASSWORD = 'a password of the mailbox';
export const RECEIVER = 'mx.agent.example';

export interface Outgoing extends Email {
  readonly to: Email['to'];
  /** As it came, with CRLF. */
  readonly raw: string;
}

export interface MailWords {
  readonly from?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly id?: string;
  /** The receiver's word on the sender's domain; `''`: it says none. */
  readonly dmarc?: string;
  readonly date?: Date;
  /** Further fields, above all others. */
  readonly fields?: readonly string[];
  readonly file?: { readonly name: string; readonly type: string; readonly content: Uint8Array };
}

/** Numbers mails, so that no two have the same id. */
let count = 0;
const newId = (): string => {
  count += 1;
  return `<${process.pid}.${count}@home.example>`;
};

/** A mail as it lies in the mailbox: the receiver's field stands on top. */
export const buildMail = ({
  from = 'owner@home.example',
  subject = 'Hello',
  text = 'hello',
  dmarc = 'pass',
  date = new Date(),
  fields = [],
  file,
  id = newId(),
}: MailWords = {}): string => {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace('>', '');
  const verdict = dmarc === '' ? [] : [`Authentication-Results: ${RECEIVER};\r\n dmarc=${dmarc} header.from=${domain}`];
  const head = [
    ...verdict,
    ...fields,
    `From: ${from}`,
    `To: ${AGENT}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${id}`,
    'MIME-Version: 1.0',
  ];
  const words = [
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text.replaceAll('\n', '\r\n'),
  ];
  if (file === undefined) return [...head, ...words, ''].join('\r\n');
  const base64 = Buffer.from(file.content)
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n');
  return [
    ...head,
    'Content-Type: multipart/mixed; boundary="=_b"',
    '',
    ...['--=_b', ...words],
    ...['--=_b', `Content-Type: ${file.type}; name="${file.name}"`],
    ...[`Content-Disposition: attachment; filename="${file.name}"`, 'Content-Transfer-Encoding: base64', '', base64],
    ...['--=_b--', ''],
  ].join('\r\n');
};

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

export const startMailbox = async (password = PASSWORD) => {
  const storage = { INBOX: { uidvalidity: 7, messages: [] as { raw: string; uid?: number; flags?: string[] }[] } };
  const plugins = ['ID', 'NAMESPACE', 'LITERALPLUS', 'UNSELECT'];
  let server = hoodiecrow({ plugins, storage, users: { [AGENT]: { password } } });
  const sockets = new Set<Socket>();
  const listen = async (port: number) => {
    server.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
  };
  await listen(0);
  const port = portOf(server.server);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `imap://127.0.0.1:${port}`,
    server: { host: '127.0.0.1', port, secure: false, mustUpgrade: false, user: AGENT },
    /** A mail comes, and its receiver notes when. */
    deliver: (raw: string) => void server.appendMessage('INBOX', [], new Date(), raw),
    /** What lies in the box, with its flags. */
    mails: () => server.getMailbox('INBOX').messages.map(({ flags }: { flags: string[] }) => flags),
    /** All connections end. */
    cut,
    /** The same mails under other numbers (RFC 3501, 2.3.1.1), after the server was away. */
    makeAnew: async () => {
      const raws = server
        .getMailbox('INBOX')
        .messages.map(({ raw, internaldate }: { raw: string; internaldate: string }) => ({ raw, internaldate }));
      cut();
      await new Promise((resolve) => server.server.close(resolve));
      server = hoodiecrow({
        plugins,
        storage: { INBOX: { uidvalidity: 8, messages: raws } },
        users: { [AGENT]: { password } },
      });
      await listen(port);
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.server.close(resolve));
    },
  };
};
export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** `lost`: it took the mail, and the connection ends before it says so. */
export type Fault = 'lost' | 'cut-before' | { readonly code: number };

export const startWayOut = async (password = PASSWORD) => {
  const taken: Outgoing[] = [];
  const faults: Fault[] = [];
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    logger: false,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password && username === AGENT ? done(null, { user: username }) : done(new Error('no')),
    onMailFrom: (_address, session, done) => {
      if (faults[0] === 'cut-before') {
        faults.shift();
        return void [...connections].map((socket) => socket.destroy());
      }
      void session;
      return done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const fault = faults.shift();
        if (typeof fault === 'object') return done(Object.assign(new Error('not now'), { responseCode: fault.code }));
        const raw = Buffer.concat(chunks).toString('utf8');
        const to = session.envelope.rcptTo.map(({ address }) => ({ name: '', address }));
        taken.push({ ...(await PostalMime.parse(raw)), to, raw });
        if (fault === 'lost') for (const socket of connections) socket.destroy();
        else done();
      });
    },
  });
  const connections = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const port = portOf(server.server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    server: { host: '127.0.0.1', port, secure: false, mustUpgrade: false, user: AGENT },
    /** All mails that it took, in order. */
    taken: taken as readonly Outgoing[],
    fail: (...next: readonly Fault[]) => void faults.push(...next),
    close: async () => {
      for (const socket of connections) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
export type WayOut = Awaited<ReturnType<typeof startWayOut>>;
