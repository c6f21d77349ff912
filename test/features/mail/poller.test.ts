/** The program beside the mailbox: each mail is handed in until it is stored, none is touched. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MailPoller, startMailPoller } from '../../../infra/features/mail/poller.ts';
import type { Cursor, MailUpdate } from '../../../lib/features/mail/update.ts';
import { buildMail, type Mailbox, PASSWORD, startMailbox } from '../../support/mail-servers.ts';

/** A door that keeps what it is told, and answers as it is bid. */
const openDoor = async () => {
  const taken: string[] = [];
  const door = { taken, cursor: undefined as Cursor | undefined, statuses: [] as number[], tries: 0 };
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { cursor, ...update }: { cursor?: Cursor } & MailUpdate = body === '' ? {} : JSON.parse(body);
    if (request.headers.authorization !== 'Bearer secret') return response.writeHead(401).end();
    if (request.method === 'GET')
      return response.end(JSON.stringify(door.cursor === undefined ? {} : { cursor: door.cursor }));
    door.tries += 1;
    const status = door.statuses.shift() ?? 200;
    if (status === 200) {
      if (cursor === undefined) taken.push((update.plain ?? '').trim());
      door.cursor = cursor ?? { validity: update.validity, uid: update.uid, at: update.at };
    }
    return response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { door, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mail`, close: () => server.close() };
};

let mailbox: Mailbox;
let { door, url, close }: Awaited<ReturnType<typeof openDoor>> = await openDoor();
let pollers: MailPoller[];
let lines: string[];
beforeEach(async () => {
  close();
  ({ door, url, close } = await openDoor());
  mailbox = await startMailbox();
  pollers = [];
  lines = [];
});
afterEach(async () => {
  await Promise.all(pollers.map((poller) => poller.stop()));
  close();
  expect(mailbox.mails().flat()).toStrictEqual([]);
  await mailbox.close();
  expect(lines.join()).not.toMatch(/@|password of|text \d/);
});

const start = (password = PASSWORD): MailPoller => {
  const { server } = mailbox;
  const poller = startMailPoller({
    ...{ server, password, door: url, secret: 'secret', pollMs: 20, backoffMs: [20] },
    log: (line) => void lines.push(line),
  });
  pollers.push(poller);
  return poller;
};
const until = async (isTrue: () => boolean): Promise<void> => {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`it did not happen; taken: ${door.taken.join()}; log: ${lines.join(' | ')}`);
    await sleep(5);
  }
};
const come = (...texts: readonly string[]): void => {
  for (const text of texts) mailbox.deliver(buildMail({ text }));
};
const begin = async (): Promise<MailPoller> => {
  const poller = start();
  await until(() => door.cursor !== undefined);
  return poller;
};

it('begins behind the mails that are there, and takes later ones in order, once', async () => {
  come('old 1', 'old 2');
  const poller = await begin();
  come('text 1', 'text 2', 'text 3');
  await until(() => door.taken.length === 3);
  await sleep(100);
  expect(door.taken).toStrictEqual(['text 1', 'text 2', 'text 3']);
  expect(poller.problem()).toBe('');
});

it('hands a mail in until it is stored, and none behind it before', async () => {
  await begin();
  door.statuses.push(503, 503);
  come('text 1', 'text 2');
  await until(() => door.taken.length === 2 && lines.length === 2);
  expect(door.taken).toStrictEqual(['text 1', 'text 2']);
  expect(lines).toStrictEqual(['E-mail: a mail could not be handed over; trying again', 'E-mail: the mailbox is read']);
});

it('goes on where it was, after a restart, a lost connection and a server that was away', async () => {
  const first = await begin();
  await first.stop();
  come('text 1');
  start();
  await until(() => door.taken.length === 1);
  mailbox.cut();
  come('text 2');
  await until(() => door.taken.length === 2);
  expect(door.taken).toStrictEqual(['text 1', 'text 2']);
});

it('takes mails since the last one again if the mailbox was made anew, and later ones once', async () => {
  await begin();
  come('text 1');
  await until(() => door.taken.length === 1);
  await mailbox.makeAnew();
  come('text 2');
  await until(() => door.taken.length === 3);
  expect(door.taken).toStrictEqual(['text 1', 'text 1', 'text 2']);
  expect(door.cursor).toMatchObject({ validity: 8, uid: 2 });
});

it('is not held up by a mail that the stack will never take', async () => {
  await begin();
  door.statuses.push(413);
  come('text 1');
  await until(() => door.cursor?.uid === 1);
  come('text 2');
  await until(() => door.taken.length === 1);
  expect(door.taken).toStrictEqual(['text 2']);
  expect(lines).toStrictEqual(['E-mail: a mail was answered 413']);
});

it('says that the password is refused, and names neither it nor anybody', async () => {
  const poller = start('a wrong password of mine');
  await until(() => poller.problem() !== '');
  expect(poller.problem()).toBe('the mailbox refuses MAIL_PASSWORD');
  expect(lines.join()).not.toContain('wrong');
});
