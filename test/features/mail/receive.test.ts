/** The door of mails: who may knock, what is stored, pairing, threads, and repeats. */
import { afterAll, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/core/base/errors.ts';
import { parseRecord } from '../../../lib/core/ledger/ledger.ts';
import { isPaired, pairedChatKey } from '../../../lib/core/ledger/paired-chats.ts';
import { makePairingCode } from '../../../lib/core/ledger/pairing-code.ts';
import type { PerceiveMessage } from '../../../lib/core/signal/messages.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import { answerMail, type MailDoorDeps } from '../../../lib/features/mail/receive.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { AGENT, buildMail, type MailWords, RECEIVER } from '../../support/mail-servers.ts';

const NOW = 1_790_000_000_000;
const OWNER = 'owner@home.example';
const dynamo = await startDynamo();
afterAll(dynamo.stop);

const openDoor = (space: string, more: Partial<MailDoorDeps> = {}) => {
  const sent: PerceiveMessage[] = [];
  const lines: string[] = [];
  let uid = 0;
  const deps: MailDoorDeps = {
    table: dynamo.table,
    publish: async (message) => void sent.push(message),
    config: { address: AGENT, authservId: RECEIVER, space, served: [OWNER] },
    secret: 'secret',
    log: (...line) => void lines.push(JSON.stringify(line)),
    now: NOW,
    ...more,
  };
  const post = async (body: unknown, { method = 'POST', secret = 'secret' } = {}) => {
    const event = {
      version: '2.0',
      rawPath: '/mail',
      headers: { authorization: `Bearer ${secret}` },
      requestContext: { http: { method, path: '/mail' } },
      isBase64Encoded: false,
      body: JSON.stringify(body),
    };
    const { statusCode, body: answer = '' } = await answerMail(deps, event);
    return { status: statusCode, answer: JSON.parse(String(answer)) };
  };
  const mail = (words: MailWords = {}) => {
    uid += 1;
    const head = buildMail({ date: new Date(NOW), ...words });
    return post({ validity: 7, uid, at: NOW, head, plain: words.text ?? 'hi', files: [] });
  };
  const signalOf = async (n: number) => {
    const id = sent[n]?.signalId ?? '';
    const item = await loadItem(dynamo.table, signalKeys.record(space, id));
    if (item === undefined) throw new Error(`there is no signal ${n}`);
    return parseRecord(id, item).signal;
  };
  return { post, mail, sent, lines, signalOf };
};

it('takes nothing without its secret', async () => {
  expect((await openDoor('closed').post({}, { secret: 'other' })).status).toBe(401);
  expect((await openDoor('closed', { secret: undefined }).post({}, { secret: '' })).status).toBe(401);
});

it('stores a mail once, whatever its number, and keeps how far the mailbox was read', async () => {
  const door = openDoor('once');
  expect((await door.post(undefined, { method: 'GET' })).answer).toStrictEqual({});
  for (const _ of [1, 2]) expect((await door.mail({ id: '<1@home.example>' })).status).toBe(200);
  expect(new Set(door.sent.map(({ signalId }) => signalId)).size).toBe(1);
  expect((await door.post(undefined, { method: 'GET' })).answer).toStrictEqual({
    cursor: { validity: 7, uid: 2, at: NOW },
  });
});

it('takes another mail under a known id for none', async () => {
  const door = openDoor('differs');
  await door.mail({ id: '<1@home.example>', text: 'first' });
  await door.mail({ id: '<1@home.example>', text: 'other words' });
  expect(door.lines.join()).toContain('another mail under the same id');
});

it('keeps an answer in the thread of the mail that it names, and its words are the sender’s', async () => {
  const door = openDoor('threads');
  await door.mail({ id: '<1@home.example>', subject: 'Tea' });
  await door.mail({ id: '<2@home.example>', subject: 'Re: Tea', fields: ['In-Reply-To: <1@home.example>'] });
  await door.mail({ id: '<3@home.example>', subject: 'Other' });
  await door.mail({ id: '<4@home.example>', fields: ['In-Reply-To: <x@else.example>'] });
  const signals = await Promise.all([0, 1, 2, 3].map(door.signalOf));
  const sessions = signals.map((signal) => signal.session);
  expect(sessions[1]).toBe(sessions[0]);
  expect(new Set(sessions).size).toBe(3);
  expect(signals[1]?.payload).toMatchObject({ text: [{ text: 'hi', origin: 'owner' }] });
  expect(signals[3]?.payload).toMatchObject({ text: [{ text: 'hi', origin: 'outside' }, { origin: 'outside' }] });
});

it('pairs a proven sender by a code, once, and nobody else', async () => {
  const space = 'pairs';
  const door = openDoor(space, { config: { address: AGENT, authservId: RECEIVER, space, served: [] } });
  const { code } = await makePairingCode({
    ...{ table: dynamo.table, space, newId: () => 'ab'.repeat(16), now: () => NOW },
  });
  const paired = async (address: string) =>
    isPaired(await loadItem(dynamo.table, pairedChatKey(space, `mail:${address}`)));
  await door.mail({ text: `/pair ${code}`, dmarc: '' });
  await door.mail({ text: `/pair ${code}`, dmarc: 'fail' });
  expect([door.sent.length, await paired(OWNER)]).toStrictEqual([0, false]);
  await door.mail({ text: `/pair ${code} de` });
  expect([await paired(OWNER), (await door.signalOf(0)).payload]).toStrictEqual([
    true,
    { sensor: 'pairing', outcome: 'paired' },
  ]);
  await door.mail({ text: `/pair ${code}`, from: 'eve@else.example' });
  expect((await door.signalOf(1)).payload).toStrictEqual({ sensor: 'pairing', outcome: 'wrong-code' });
  expect(await paired('eve@else.example')).toBe(false);
});

it('answers at most five codes a day of one address', async () => {
  const door = openDoor('guesses');
  for (let n = 0; n < 7; n += 1) await door.mail({ text: `/pair WRONG-${n}`, from: 'eve@else.example' });
  expect(door.sent.length).toBe(5);
});

it('asks for a mail again that could not be stored, and logs nothing of it', async () => {
  const table = { ...dynamo.table, transact: async () => Promise.reject(new UnavailableError('away')) };
  const door = openDoor('away', { table: { ...table, put: async () => Promise.reject(new UnavailableError('away')) } });
  expect((await door.mail({ text: 'a secret of mine' })).status).toBe(503);
  expect(door.lines.join()).not.toMatch(/secret of mine|home\.example/);
  expect((await openDoor('form').post({ uid: 'x' })).status).toBe(400);
});
