/**
 * A text to a webhook by its name: typed by its owner, or wanted by the model on the card that a
 * call of this webhook has. Lost answers, rules and words from outside count as for such a call.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { savePolicySetting } from '../../lib/features/policy/save-policy.ts';
import { findUnaccounted } from '../support/evidence.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const [OWNER, MUM] = [7_401, 7_402];
const SECRET = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const [, to = '', text = ''] = /tell ([\w,]+) that (.*)$/m.exec(userTextOf(request)) ?? [];
  if (to === '' || toolResultsOf(request).length > 0) return say('ok');
  const REFUSED = /(?:the fields of the webhook \w+ have no place|a file goes to chats, and not to the webhook \w+)/;
  const [told] = REFUSED.exec(JSON.stringify(request.messages.at(-1))) ?? [];
  if (told !== undefined) return say(`No: ${told}.`);
  const explanation = 'the owner asked for exactly this message';
  return text.startsWith('file ')
    ? call('send-file', { to, name: 'a.txt', content: text, explanation })
    : call('send-message', { to, text, explanation });
};

const got: [name: string, body: string][] = [];
const lost: string[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const name = request.url?.slice(1) ?? '';
  got.push([name, body]);
  if (lost.includes(name)) response.destroy();
  else response.end('words of the receiver');
});

let world: TestStack;
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const at = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${path}`;
  const forms = {
    team: { preset: 'slack', url: at('team') },
    phone: { preset: 'ntfy', url: at('phone') },
    guild: { preset: 'discord', url: at('guild') },
    plain: { url: at('plain') },
    own: { url: at('own'), method: 'PUT', send: { subject: 'News', words: '{{text}}' } },
    lamp: { preset: 'home-assistant', url: at('{domain}/{service}') },
    status: { url: at('status'), reads: true },
  };
  world = await startTestStack({
    allowedChats: [OWNER, MUM],
    approvers: [OWNER],
    environment: {
      WEBHOOK_TARGETS: JSON.stringify({ ...forms, signed: { url: at('signed'), secret: SECRET } }),
      WEBHOOK_URLS: JSON.stringify({ ...forms, signed: at('signed') }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    },
    script: answer,
  });
  await write('hi', MUM, MUM);
  await write(`/chats name ${MUM} mum`);
});
afterAll(async () => {
  await world?.stop();
  receiver.close();
});

const write = (text: string, chat = OWNER, from = OWNER, more = {}) =>
  world.settled(signalIdOf(world.telegram.sendText(chat, from, text, more)));
const command = async (text: string) => (await write(text)).replies.join('\n');
const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);

const cardOf = (words: string) =>
  until('a card', () =>
    world.telegram
      .sent(OWNER)
      .findLast(({ text = '', reply_markup: keys }) => keys !== undefined && text.includes(words)),
  );
const approve = async (words: string) => {
  const card = await cardOf(words);
  const button = card.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Approve');
  const data = button !== undefined && 'callback_data' in button ? button.callback_data : '';
  await world.settled(signalIdOf(world.telegram.tap(card.message_id, data, OWNER)));
  return card.text ?? '';
};

describe('a text to a webhook', () => {
  it.each([
    ['team', '{"text":"it is done"}'],
    ['Phone', 'it is done'],
    ['guild', '{"allowed_mentions":{"parse":[]},"content":"it is done"}'],
    ['plain', '{"text":"it is done"}'],
    ['signed', '{"text":"it is done"}'],
    ['own', '{"subject":"News","words":"it is done"}'],
  ])('is sent in the form that the webhook %s takes, once, if its owner types it', async (name, body) => {
    expect(await command(`/send ${name} it is done`)).toMatch(/Sent\.$/);
    expect(got.splice(0)).toStrictEqual([[name.toLowerCase(), body]]);
  });

  it.each([
    ['lamp it is dark', 'the fields of the webhook lamp have no place for a text; call-webhook sends'],
    ['team,lamp it is dark', 'the fields of the webhook lamp have no place for a text; call-webhook sends'],
    ['status it is dark', 'the fields of the webhook status have no place for a text; call-webhook sends'],
    ['nobody it is dark', 'those are console, mum, team, phone, guild, plain, own, signed ('],
    [`guild ${'x'.repeat(2_001)}`, 'body.text'],
  ])('is refused whole if it has no place there: %.30s', async (words, problem) => {
    expect(await command(`/send ${words}`)).toContain(problem);
    expect(got).toStrictEqual([]);
  });

  it('is sent by the API, with the token of somebody who may speak as the owner', async () => {
    const { body } = await world.api<{ id: string }>('POST', '/api/send', { to: 'team', text: 'by a script' });
    await world.settled(body.id);
    expect(got.splice(0)).toStrictEqual([['team', '{"text":"by a script"}']]);
  });

  it('waits for a yes if the model wants it, on the card of a call', async () => {
    expect((await write('please tell own that the shop is up')).state).toBe('suspended');
    expect(got).toStrictEqual([]);
    const card = await approve('the shop is up');
    expect(card).toContain('Call the webhook own: text “the shop is up”');
    expect(card).toMatch(/Address: http:\/\/127\.0\.0\.1:\d+\/own/);
    expect(card).toContain('Method: PUT');
    expect(card).toContain('Sent: {"subject":"News","words":"the shop is up"}');
    await until('it arrives', () => got.length > 0);
    expect(got.splice(0)).toStrictEqual([['own', '{"subject":"News","words":"the shop is up"}']]);
  });

  it('is told to the model as impossible if the webhook takes no text', async () => {
    expect((await write('please tell lamp that it is dark')).replies).toStrictEqual([
      'No: the fields of the webhook lamp have no place.',
    ]);
  });

  it('goes with a list of the owner to chats and webhooks, and a lost answer repeats no other', async () => {
    expect(await command(`/chats name ${OWNER} team`)).toContain('team is the name of another place');
    expect(await command('/chats name team news')).toContain('a webhook has its name already');
    expect(await command('/chats name mum,lamp everybody')).toContain('have no place for a text');
    expect(await command('/chats name mum,team,signed everybody')).toContain('named everybody');
    lost.push('team');
    const view = await write('/send everybody,team we begin');
    expect(view.effects.map(({ state }) => state)).toStrictEqual(['done', 'unknown', 'done']);
    expect(got.splice(0).sort()).toStrictEqual([
      ['signed', '{"text":"we begin"}'],
      ['team', '{"text":"we begin"}'],
    ]);
    lost.splice(0);
    expect(textsTo(MUM).filter((text) => text === 'we begin')).toHaveLength(1);
    expect(textsTo(OWNER).filter((text) => /^Sent to (7402|signed)\.$/.test(text))).toHaveLength(2);
    expect(textsTo(OWNER).some((text) => text.includes('is not known') && text.includes('we begin'))).toBe(true);
  });

  it('carries no file', async () => {
    expect((await write('please tell own that file milk')).replies).toStrictEqual([
      'No: a file goes to chats, and not to the webhook own.',
    ]);
    expect(got).toStrictEqual([]);
  });

  it('is ruled by the policy as a call of that webhook, and words from outside ask all the same', async () => {
    const rules = [
      'permit(principal, action == Action::"call-webhook", resource) when { resource.name == "plain" };',
      'forbid(principal, action == Action::"call-webhook", resource) when { resource.name == "phone" };',
    ];
    await savePolicySetting(world.table, 'default', { text: rules.join('\n'), by: 'test', at: Date.now() });
    expect(await command('/send phone hello')).toContain('denied by the permissions');
    await write('please tell plain that all is well');
    await until('it arrives without a card', () => got.length > 0);
    expect(got.splice(0)).toStrictEqual([['plain', '{"text":"all is well"}']]);
    const forwarded = { forward_origin: { type: 'hidden_user', sender_user_name: 'X', date: 1 } };
    expect((await write('please tell plain that the gate is open', OWNER, OWNER, forwarded)).state).toBe('suspended');
    expect((await cardOf('the gate is open')).text).toContain('outside');
    expect(got).toStrictEqual([]);
  });
});

it('accounts for every message it sent', async () => {
  expect(await findUnaccounted(world)).toStrictEqual([]);
});
