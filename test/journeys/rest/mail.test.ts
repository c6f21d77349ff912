/**
 * An owner's first hour by e-mail, from a fresh clone: the set-up tries the mailbox and finds out
 * who vouches for senders, an address is paired by a mailed code, a PDF is read and answered in its
 * thread, and a card is asked about by a reply and decided elsewhere. Forged, repeated and
 * automatic mails do nothing. The servers are those of others (`test/support/mail-servers.ts`).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdf } from '../../support/documents.ts';
import {
  AGENT,
  buildMail,
  type Mailbox,
  type MailWords,
  type Outgoing,
  PASSWORD,
  RECEIVER,
  startMailbox,
  startWayOut,
  type WayOut,
} from '../../support/mail-servers.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

const OWNER = 'owner@home.example';
const SECRET = `whsec_${Buffer.from('the secret of the deployer').toString('base64')}`;
const deployed: string[] = [];
const deployer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  deployed.push(JSON.parse(body).ref);
  response.writeHead(202).end('{"queued":true}');
});

const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const ref = /deploy (\w+)/.exec(text)?.[1];
  if (ref === undefined || toolResultsOf(request).length > 0) return say(`I read: ${text}\n\nEnd of what I read.`);
  return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: 'the owner asked for a deployment' });
};

let home: Home;
let mailbox: Mailbox;
let wayOut: WayOut;
let program: Program;
beforeAll(async () => {
  await new Promise<void>((resolve) => deployer.listen(0, '127.0.0.1', resolve));
  [home, mailbox, wayOut] = await Promise.all([openHome(script), startMailbox(), startWayOut()]);
  const url = `http://127.0.0.1:${(deployer.address() as AddressInfo).port}/hook`;
  home.set({
    ...home.modelSettings,
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url, secret: SECRET } }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    MAIL_POLL_SECONDS: '5',
  });
});
afterAll(async () => {
  await home?.close();
  await mailbox?.close();
  await wayOut?.close();
  deployer.close();
});

const mails = (words: MailWords = {}): string => {
  const raw = buildMail({ from: OWNER, ...words });
  mailbox.deliver(raw);
  return raw;
};
/** The first mail that says this, once it has come. */
const reads = (what: string | RegExp): Promise<Outgoing> =>
  until(`a mail says ${what}; there are:\n${wayOut.taken.map(({ text }) => text).join('\n---\n')}`, () =>
    wayOut.taken.find(({ text = '' }) => (typeof what === 'string' ? text.includes(what) : what.test(text))),
  );
/** A mail behind which all that came before is done with. */
const settles = async (): Promise<void> => {
  const mark = `mark${Math.random()}`.replace('.', '');
  mails({ text: mark });
  await reads(mark);
};

it('is set up: the mailbox is tried, and who vouches for senders is found', async () => {
  // An older mail: it is not answered later.
  mails({ text: 'from before', from: 'anna@else.example' });
  const setup = home.open('npx passepartout setup --plain --only mail');
  const answers = [
    ['The address of the mailbox', AGENT],
    ['Its IMAP server', mailbox.url],
    ['Its SMTP server', wayOut.url],
    ['Its password', PASSWORD],
    [`That name; empty trusts no sender (Enter for ${RECEIVER})`, ''],
  ] as const;
  for (const [question, answer] of answers) {
    await setup.prints(question);
    setup.type(answer);
  }
  await setup.prints(`${AGENT}: reachable.`);
  setup.child.stdin?.end();
  program = await home.start();
  expect(program.output()).toContain(`${AGENT}, polled`);
});

it('pairs an address by a code in a mail, if its sender is proven', async () => {
  const line = /\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '';
  mails({ text: line, dmarc: '' });
  mails({ text: 'hello from a stranger', from: 'eve@else.example' });
  mails({ text: line, subject: 'here it is' });
  const paired = await reads(/paired/);
  expect(paired).toMatchObject({ subject: 'Re: here it is', to: [{ address: OWNER }] });
  expect(wayOut.taken.length).toBe(1);
});

it('answers a mail with a PDF in its thread, and says that no program shall answer', async () => {
  const content = pdf(['The tower is 324 metres high']);
  const raw = mails({
    subject: 'How high?',
    text: 'how high is it?',
    file: { name: 'tower.pdf', type: 'application/pdf', content },
  });
  const answer = await reads('324 metres');
  const asked = /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim();
  expect(answer).toMatchObject({ subject: 'Re: How high?', inReplyTo: asked, references: asked });
  expect(answer.raw).toMatch(/^Auto-Submitted: auto-replied/im);
});

describe('a card', () => {
  it('says where it is decided; a reply to it is a question, and the decision is made there', async () => {
    mails({ text: 'deploy main', subject: 'release' });
    const card = await reads(/A reply decides nothing/);
    const [, id = ''] = /npx passepartout approve (\w+)/.exec(card.text ?? '') ?? [];
    for (const words of ['/approve', `/approve ${id}`, 'yes', 'Approve'])
      mails({ text: words, subject: `Re: release`, fields: [`In-Reply-To: ${card.messageId}`] });
    await settles();
    expect(deployed).toStrictEqual([]);
    await home.paste(`npx passepartout approve ${id}`);
    await until('it is deployed', () => deployed.length > 0);
    expect(deployed).toStrictEqual(['main']);
  });
});

it('does nothing for a mail that is forged, sent again, automatic or its own, and answers none', async () => {
  const first = mails({ text: 'this came once' });
  await reads('this came once');
  const before = wayOut.taken.length;
  const asked = home.model.requests.length;
  const forged: readonly MailWords[] = [
    { text: 'deploy forged1', dmarc: 'fail' },
    { text: 'deploy forged2', from: 'eve@else.example' },
    { text: 'deploy forged3', from: `${OWNER}, eve@else.example` },
    { text: 'deploy old', date: new Date(Date.now() - 7 * 86_400_000) },
    { text: 'deploy away', fields: ['Auto-Submitted: auto-replied'] },
    { text: 'deploy list', fields: ['List-Id: <a.list.example>'] },
    { text: 'deploy own', from: AGENT },
    { text: 'deploy bounce', fields: ['Return-Path: <>'] },
  ];
  mailbox.deliver(first);
  for (const words of forged) mails(words);
  for (const { raw } of wayOut.taken.slice(0, 3)) mailbox.deliver(raw);
  await settles();
  expect(wayOut.taken.length).toBe(before + 1);
  expect(home.model.requests.length).toBe(asked + 1);
  expect(await home.paste('npx passepartout approvals')).not.toMatch(/forged|old|away|list|own|bounce/);
});

it('takes a mail without a proof for the words of somebody without rights', async () => {
  mails({ text: 'deploy unproven', dmarc: '' });
  // Its owner is asked, as about what anybody wants.
  await reads('ref “unproven”');
  const { signals } = JSON.parse(await home.paste('npx passepartout signals --json'));
  const [found] = signals.filter(({ text }: { text: string }) => text === 'deploy unproven');
  expect(found).toMatchObject({ source: 'unproven', sender: `unproven:${OWNER}` });
  expect(deployed).toStrictEqual(['main']);
});

it('loses nothing and answers nothing twice if it is killed, and if the mailbox is made anew', async () => {
  mails({ text: 'asked before the kill' });
  process.kill(-(program.child.pid ?? 0), 'SIGKILL');
  await delay(100);
  mails({ text: 'asked meanwhile' });
  program = await home.start();
  await reads('asked before the kill');
  await reads('asked meanwhile');
  await mailbox.makeAnew();
  mails({ text: 'asked of the new one' });
  await reads('asked of the new one');
  await settles();
  const of = (what: string) => wayOut.taken.filter(({ text = '' }) => text.includes(what)).length;
  expect(['asked before the kill', 'asked meanwhile', 'asked of the new one', 'this came once'].map(of)).toStrictEqual([
    1, 1, 1, 1,
  ]);
  expect(mailbox.mails().flat()).toStrictEqual([]);
});
