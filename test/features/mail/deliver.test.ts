/** Mails that go out: each outcome told apart, threads, files, and a bound for new addresses. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../lib/core/base/limits.ts';
import { pairedChatKey } from '../../../lib/core/ledger/paired-chats.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorContext, ActuatorResult } from '../../../lib/core/signal/actuator.ts';
import { buildFileText } from '../../../lib/core/text/file-text.ts';
import { openMailSender } from '../../../lib/features/mail/deliver.ts';
import { noteMail } from '../../../lib/features/mail/threads.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { AGENT, type Fault, PASSWORD, startWayOut, type WayOut } from '../../support/mail-servers.ts';

const NOW = 1_790_000_000_000;
const OWNER = 'owner@home.example';
const dynamo = await startDynamo();
afterAll(dynamo.stop);

let wayOut: WayOut;
let space = '';
let spaces = 0;
beforeEach(async () => {
  wayOut = await startWayOut();
  spaces += 1;
  space = `mail${spaces}`;
  await dynamo.table.put(pairedChatKey(space, `mail:${OWNER}`), { schemaVersion: 1, pairedAt: 1, by: 'x' });
});
afterEach(async () => await wayOut.close());

const nothing = async () => undefined;
const send = (
  text: string,
  more: Partial<Action> = {},
  told: Partial<ActuatorContext> = {},
): Promise<ActuatorResult> => {
  const { url: smtp } = wayOut;
  const { table } = dynamo;
  const page = 'https://page.example/';
  const ways = { address: AGENT, password: PASSWORD, served: [], space, table, smtp, page };
  const { actuator } = openMailSender({
    ...ways,
    loadFile: nothing,
    loadCard: nothing,
    ...(more.template === 'wrong' ? { password: 'no' } : {}),
  });
  const action: Action = { target: 'mail', to: OWNER, text, author: 'model', explanation: 'a test', ...more };
  const context = {
    effectId: `${space}/s#0`,
    now: NOW,
    addresses: [],
    origin: 'owner',
    signalId: 's',
    actor: 'agent',
  } as const;
  return actuator.deliver(action, { ...context, ...told });
};
const ids = () => wayOut.taken.map(({ messageId }) => messageId);

describe('the outcome of a mail', () => {
  it('is `unknown` if the answer is lost; sent again it has the same Message-ID', async () => {
    wayOut.fail('lost');
    expect(await send('hi')).toMatchObject({ state: 'unknown' });
    expect(await send('hi')).toMatchObject({ state: 'done' });
    expect(new Set(ids()).size).toBe(1);
    expect(await send('hi', {}, { effectId: `${space}/s#1` })).toMatchObject({ state: 'done' });
    expect(new Set(ids()).size).toBe(2);
  });

  it.each<readonly [string, Fault, object, number]>([
    ['a connection that ends before the mail', 'cut-before', { state: 'retry' }, 0],
    ['a server that asks to wait', { code: 451 }, { state: 'retry', afterMs: 60_000 }, 0],
    ['a refusal', { code: 550 }, { state: 'failed', reason: 'the mail server refused the mail (550)' }, 0],
  ])('tells %s', async (_name, fault, result, count) => {
    wayOut.fail(fault);
    expect(await send('hi')).toMatchObject(result);
    expect(wayOut.taken.length).toBe(count);
  });

  it('waits while the password is refused, and while no server is there', async () => {
    expect(await send('hi', { template: 'wrong' })).toMatchObject({
      state: 'retry',
      because: { code: 'token-refused' },
    });
    await wayOut.close();
    expect(await send('hi')).toMatchObject({ state: 'retry', reason: 'the mail server could not be reached' });
    wayOut = await startWayOut();
  });

  it('names no address and no word of the server', async () => {
    wayOut.fail({ code: 550 });
    expect(JSON.stringify(await send('hi'))).not.toMatch(/@|not now/);
  });
});

it('answers in its thread, and begins one with a subject of its own', async () => {
  await noteMail(
    dynamo.table,
    { space, topic: 5, messageId: '<b@home.example>', now: NOW },
    { subject: 'Tea', references: ['<a@home.example>'] },
  );
  await send('at four', { topic: 5 });
  await send('Subject: News\n\nIt rains.', {}, { effectId: `${space}/s#1` });
  const [answer, news] = wayOut.taken;
  expect(answer).toMatchObject({
    subject: 'Re: Tea',
    inReplyTo: '<b@home.example>',
    references: '<a@home.example> <b@home.example>',
  });
  expect(answer?.raw).toMatch(/^Auto-Submitted: auto-replied/m);
  expect(news).toMatchObject({ subject: 'News', text: 'It rains.\n' });
  expect(news?.raw).toMatch(/^Auto-Submitted: auto-generated/m);
  expect(news?.inReplyTo).toBeUndefined();
});

it('shows where a card is decided, by a link that permits nothing', async () => {
  const card = '0123456789abcdef0123456789abcdef';
  await send('May I?', { author: 'code', card, template: 'approval-card' });
  expect(wayOut.taken[0]?.text).toContain('Decide here: https://page.example/#/approvals/012345');
});

it('sends a file as an attachment', async () => {
  await send(buildFileText('list.csv', 'a,b'));
  expect(wayOut.taken[0]?.attachments).toMatchObject([{ filename: 'list.csv', mimeType: 'text/csv' }]);
});

it.each([
  ['not an address'],
  ['a@b.example, c@d.example'],
  ['a@b.example\r\nBcc: c@d.example'],
  [`${'x'.repeat(80)}@a.example`],
])('sends nothing to %j', async (to) => {
  expect(await send('hi', { to })).toMatchObject({ state: 'failed' });
  expect(wayOut.taken.length).toBe(0);
});

it('puts no field of a text or a subject among those of the mail', async () => {
  await send('Subject: x\r\nBcc: eve@evil.example\n\nhi');
  expect(wayOut.taken[0]?.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
  expect(wayOut.taken[0]?.to).toStrictEqual([{ name: '', address: OWNER }]);
});

it('writes at most five mails an hour to addresses that never wrote, and waits with the sixth', async () => {
  const results: ActuatorResult[] = [];
  for (let n = 0; n < 6; n += 1)
    results.push(await send('hi', { to: `new${n}@else.example` }, { effectId: `${space}/s#${n}` }));
  expect(results.map(({ state }) => state)).toStrictEqual([...Array(5).fill('done'), 'retry']);
  expect(results[5]).toMatchObject({ afterMs: HOUR_MS - (NOW % HOUR_MS) });
  expect(await send('hi', {}, { effectId: `${space}/s#9` })).toMatchObject({ state: 'done' });
  const later = { effectId: `${space}/s#5`, now: NOW + HOUR_MS };
  expect(await send('hi', { to: 'new5@else.example' }, later)).toMatchObject({ state: 'done' });
});
