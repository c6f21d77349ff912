/**
 * An owner's first hour with a bot: pair a chat by the printed line, decide cards by their buttons
 * in a private chat and in a group, reply to the agent, edit a message, and take a chat out again.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { until } from '../support/stack.ts';
import { type Home, openHome } from './support/home.ts';
import { telegramPerson } from './support/telegram-person.ts';

const [OWNER, GROUP] = [7001, -1_007_000_000_001];
const SECRET = `whsec_${Buffer.from('the secret of the deployer').toString('base64')}`;

/** What the deployer was told to deploy. */
const deployed: string[] = [];
const deployer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  deployed.push(JSON.parse(body).ref);
  response.writeHead(202).end('{"queued":true}');
});
const countOf = (ref: string) => deployed.filter((one) => one === ref).length;

/** Proposes the webhook for "deploy <ref>"; otherwise tells what it was given to read. */
const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const ref = /^deploy (\S+)$/m.exec(text)?.[1];
  if (ref === undefined) return say(`I read: ${text}`);
  if (toolResultsOf(request).length > 0) return say(`Settled: ${ref}`);
  return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: 'the owner asked for a deployment' });
};

let home: Home;
beforeAll(async () => {
  await new Promise<void>((resolve) => deployer.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(deployer.address() as AddressInfo).port}/hook`;
  home = await openHome(script);
  home.set({
    ...home.modelSettings,
    ...home.telegramSettings,
    TELEGRAM_APPROVERS: String(OWNER),
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url, secret: SECRET } }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  });
  await home.start();
});
afterAll(async () => {
  await home?.close();
  deployer.close();
});

const ownerIn = (chat: number) => telegramPerson(home.telegram, OWNER, chat);

/** Asks for a deployment and gives its card. */
const cardFor = (ref: string, chat: number) => {
  ownerIn(chat).says(`deploy ${ref}`);
  return ownerIn(chat).reads(`{"ref":"${ref}"}`);
};

describe.each([
  ['a private chat', OWNER, 'this answers your earlier message'],
  // The agent's answer there was made with the name of whoever wrote, which others choose.
  ['a group', GROUP, 'outside quote'],
])('an owner in %s', (_name, chat, quotedAs) => {
  it('pairs it by the line that was printed', async () => {
    const owner = ownerIn(chat);
    owner.says('hello');
    await owner.reads('serves only chats that are paired');
    owner.says(/\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
    await owner.reads('This chat is paired now.');
  });

  it('decides by the buttons of the cards', async () => {
    const owner = ownerIn(chat);
    const [no, yes, again] = [`no${chat}`, `yes${chat}`, `again${chat}`];

    const refused = await cardFor(no, chat);
    expect(owner.buttons(refused)).toStrictEqual(['Approve', 'Deny', 'Allow similar…']);
    expect(await owner.taps(refused, 'Deny')).toBe('');
    await owner.reads('Denied. It will not be done.');
    await until('the buttons are gone', () => owner.buttons(refused).length === 0);
    await owner.reads(`Settled: ${no}`);

    expect(await owner.taps(await cardFor(yes, chat), 'Approve')).toBe('');
    await owner.reads('Approved. It is being done now.');
    await owner.reads(`Settled: ${yes}`);
    expect(countOf(yes)).toBe(1);

    const similar = await cardFor(again, chat);
    expect(await owner.taps(similar, 'Allow similar…')).toBe('');
    await until('the choices are shown', () => owner.buttons(similar).includes('Back'));
    expect(await owner.taps(similar, /^3 more times until /)).toBe('');
    await owner.reads('used 0 of 3');
    await owner.reads(`Settled: ${again}`);
    expect(countOf(again)).toBe(1);
    owner.says(`deploy ${again}`);
    const settled = () => owner.screen().filter((text) => text === `Settled: ${again}`);
    await until('it is settled again, without a question', () => settled().length === 2);
    expect(countOf(again)).toBe(2);
    expect(countOf(no)).toBe(0);
  });

  it('replies to the agent and corrects a message, and the agent knows which', async () => {
    const owner = ownerIn(chat);
    const written = owner.says('tea at four');
    const answer = await owner.reads(/I read:[\s\S]*tea at four/);
    owner.says('why so?', { reply_to_message: answer as never });
    const { text } = await owner.reads('I read: why so?');
    expect(text).toContain(quotedAs);
    expect(text).toContain('I read: tea at four');
    owner.edits(written, 'tea at five');
    await owner.reads(/an earlier message was edited[\s\S]*tea at five/);
  });
});

it('takes a chat out, and says why its buttons do nothing', async () => {
  const owner = ownerIn(OWNER);
  const card = await cardFor('late', GROUP);
  owner.says('/chats');
  await owner.reads(`${GROUP}: a group, paired on`);
  owner.says(`/chats remove ${GROUP}`);
  await owner.reads(`The chat ${GROUP} is removed`);
  expect(await ownerIn(GROUP).taps(card, 'Approve')).toContain('This chat is not paired with me (any more)');
  const left = await home.paste('npx passepartout chats');
  expect(left).toContain(`${OWNER}: a private chat, paired on`);
  expect(left).not.toContain(String(GROUP));
  expect(countOf('late')).toBe(0);
});
